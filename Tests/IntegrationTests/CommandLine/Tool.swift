import Foundation
import Testing
import _LeapTestSupport

/// An executable of the package, as it was built beside the tests, run as a process like a shell runs it.
struct Tool: Sendable {
    static let leap = Tool(name: "leap")
    static let leapBench = Tool(name: "leap-bench")

    let name: String
    /// Where it lies, if not where the build has put it.
    var place: URL?

    /// What a process left behind.
    struct Outcome {
        /// The exit code, or the number of the signal that ended it, negated: a trap is −4 or −5.
        let status: Int32
        let output: Data
        let errorOutput: Data

        var text: String { String(decoding: output, as: UTF8.self) }
        var errorText: String { String(decoding: errorOutput, as: UTF8.self) }
    }

    /// Nothing here takes a second, but a busy machine may take many.
    private static let patience = DispatchTimeInterval.seconds(120)

    /// Runs the tool to its end.
    ///
    /// - Parameters:
    ///   - input: What it reads on standard input.
    ///   - device: Where standard output leads instead of into the outcome.
    ///   - delay: Seconds after which the process is killed, if it still runs then.
    func run(
        _ arguments: [String], input: Data = Data(), outputTo device: String? = nil, killedAfter delay: Double? = nil
    ) throws -> Outcome {
        try Self.run(
            executable: try executable(), arguments, in: place, input: input, outputTo: device, killedAfter: delay)
    }

    /// The file of the tool.
    func executable() throws -> URL { try (place ?? Self.folder()).appending(path: name) }

    /// Runs a line of Bash, in which `$LEAP` is the tool, to its end.
    func run(bash line: String) throws -> Outcome {
        let path = try executable().path
        return try Self.run(executable: URL(filePath: "/bin/bash"), ["-c", "LEAP='\(path)'; \(line)"])
    }

    private static func run(
        executable: URL, _ arguments: [String], in place: URL? = nil, input: Data = Data(),
        outputTo device: String? = nil, killedAfter delay: Double? = nil, environment: [String: String] = [:]
    ) throws -> Outcome {
        let folder = try TemporaryFolder()
        let process = Process()
        process.executableURL = executable
        process.currentDirectoryURL = place
        process.arguments = arguments
        process.environment = Self.environment(environment)
        // Files, because a pipe that nobody reads stops its writer once it is full.
        process.standardInput = try FileHandle(
            forReadingFrom: URL(filePath: try folder.write("input", input)))
        let output = try folder.write("output", "")
        process.standardOutput = try FileHandle(forWritingTo: URL(filePath: device ?? output))
        process.standardError = try FileHandle(
            forWritingTo: URL(filePath: try folder.write("errors", "")))
        let status = try Self.status(of: process, arguments, killedAfter: delay)
        return Outcome(
            status: status, output: try Data(contentsOf: folder.url.appending(path: "output")),
            errorOutput: try Data(contentsOf: folder.url.appending(path: "errors")))
    }

    /// Runs the tool to its end on a thread of its own, so that a server of the test can answer it meanwhile.
    ///
    /// - Parameter environment: Variables besides this process's own.
    func runBeside(_ arguments: [String], environment: [String: String]) async throws -> Outcome {
        try await Self.runBeside(try Self.folder().appending(path: name), arguments, environment)
    }

    /// The same for a line of Bash, in which `$LEAP` is the tool.
    func runBeside(bash line: String, environment: [String: String]) async throws -> Outcome {
        let path = try Self.folder().appending(path: name).path
        return try await Self.runBeside(URL(filePath: "/bin/bash"), ["-c", "LEAP='\(path)'; \(line)"], environment)
    }

    private static func runBeside(
        _ executable: URL, _ arguments: [String], _ environment: [String: String]
    ) async throws -> Outcome {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result { try run(executable: executable, arguments, environment: environment) })
            }
        }
    }

    /// Starts the tool, and gives its process to be waited for or killed.
    func start(_ arguments: [String], environment: [String: String]) throws -> Process {
        let process = Process()
        process.executableURL = try Self.folder().appending(path: name)
        process.arguments = arguments
        process.environment = Self.environment(environment)
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }

    /// This process's variables, without our own, and others.
    static func environment(_ others: [String: String]) -> [String: String] {
        ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("LEAP_") }.merging(others) { $1 }
    }

    private static func status(
        of process: Process, _ arguments: [String], killedAfter delay: Double?
    ) throws -> Int32 {
        let ended = DispatchSemaphore(value: 0)
        process.terminationHandler = { _ in ended.signal() }
        try process.run()
        if let delay, ended.wait(timeout: .now() + delay) == .timedOut {
            kill(process.processIdentifier, SIGKILL)
            ended.wait()
            return -SIGKILL
        } else if delay != nil {
            return process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
        }
        if ended.wait(timeout: .now() + patience) == .timedOut {
            kill(process.processIdentifier, SIGKILL)
            ended.wait()
            Issue.record("\(arguments) did not end")
        }
        return process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
    }

    /// The tool in another folder, without anything that the build has put beside it.
    func copied(to folder: URL) throws -> Tool {
        try FileManager.default.copyItem(
            at: Self.folder().appending(path: name), to: folder.appending(path: name))
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

/// Arguments that a tool refuses, with what it must say.
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
