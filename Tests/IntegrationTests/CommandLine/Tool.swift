import Foundation
import Testing
import _LeapProcessTestSupport

/// An executable of the package that was built with the tests, run as a process.
struct Tool: Sendable {
    static let leap = Tool(name: "leap")
    static let leapBench = Tool(name: "leap-bench")

    let name: String
    /// Its folder, if it is not the build's.
    var place: URL?

    typealias Outcome = CommandOutcome

    /// Runs the tool to its end; see ``Command/run(input:outputTo:killedAfter:meanwhile:)``.
    ///
    /// - Parameter environment: Variables besides this process's own.
    func run(
        _ arguments: [String], environment: [String: String] = [:], input: Data = Data(),
        outputTo device: String? = nil, killedAfter delay: Duration? = nil,
        meanwhile: @escaping @Sendable (_ process: Int32) async throws -> Void = { _ in }
    ) async throws -> Outcome {
        try await command(path, arguments, environment).run(
            input: input, outputTo: device, killedAfter: delay, meanwhile: meanwhile)
    }

    /// Runs a line of Bash, in which `$LEAP` is the tool, to its end.
    func run(bash line: String, environment: [String: String] = [:]) async throws -> Outcome {
        try await command("/bin/bash", ["-c", "LEAP='\(try path)'; \(line)"], environment).run()
    }

    /// The file of the tool.
    func executable() throws -> URL { try (place ?? Self.folder()).appending(path: name) }

    /// This process's variables without those of leap, and others.
    static func environment(_ others: [String: String]) -> [String: String] {
        ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("LEAP_") }.merging(others) { $1 }
    }

    /// A command that gets this process's variables without those of leap, and others.
    private func command(_ program: String, _ arguments: [String], _ environment: [String: String]) -> Command {
        var command = Command(program, arguments)
        command.environment = Self.environment(environment)
        command.folder = place
        return command
    }

    private var path: String {
        get throws { try executable().path }
    }

    /// The tool copied to another folder, without the other files of the build.
    func copied(to folder: URL) throws -> Tool {
        try FileManager.default.copyItem(atPath: path, toPath: folder.appending(path: name).path)
        return Tool(name: name, place: folder)
    }

    /// Where the build puts executables and tests.
    private static func folder() throws -> URL {
        #if canImport(Darwin)
        let bundle = try #require(Bundle.allBundles.first { $0.bundleURL.pathExtension == "xctest" })
        return bundle.bundleURL.deletingLastPathComponent()
        #else
        return try #require(Bundle.main.executableURL).deletingLastPathComponent()
        #endif
    }
}

/// Arguments that a tool rejects, with the expected message.
struct Refusal: Sendable, CustomTestStringConvertible {
    let arguments: [String]
    let input: String
    let message: String

    init(_ arguments: [String], input: String = "", _ message: String) {
        self.arguments = arguments
        self.input = input
        self.message = message
    }

    var testDescription: String { arguments.map { URL(filePath: $0).lastPathComponent }.joined(separator: " ") }
}

/// Exit codes.
enum ExitStatus {
    static let success: Int32 = 0
    static let failure: Int32 = 1
    /// `EX_USAGE` of sysexits.h.
    static let usage: Int32 = 64
}

/// Expects a failure that says why on standard error, in one `error:` line, and nothing on standard output.
func expectFailure(_ outcome: Tool.Outcome, _ message: String, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(outcome.status == ExitStatus.failure, sourceLocation: sourceLocation)
    #expect(outcome.text == "", sourceLocation: sourceLocation)
    #expect(outcome.errorText.hasPrefix("error: "), "\(outcome.errorText)", sourceLocation: sourceLocation)
    #expect(outcome.errorText.contains(message), "\(outcome.errorText)", sourceLocation: sourceLocation)
}

/// Expects a usage error: its code, a message and the usage on standard error, and nothing on standard output.
func expectUsageError(_ outcome: Tool.Outcome, _ message: String, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(outcome.status == ExitStatus.usage, sourceLocation: sourceLocation)
    #expect(outcome.text == "", sourceLocation: sourceLocation)
    #expect(outcome.errorText.contains(message), "\(outcome.errorText)", sourceLocation: sourceLocation)
    #expect(outcome.errorText.contains("Usage: "), "\(outcome.errorText)", sourceLocation: sourceLocation)
}
