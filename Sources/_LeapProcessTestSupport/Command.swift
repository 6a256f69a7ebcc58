public import Foundation
import Subprocess

#if canImport(System)
import System
#else
import SystemPackage
#endif

/// A program with its arguments, started as a shell would.
///
///     let outcome = try await Command("/usr/bin/env", ["openssl", "version"]).run()
///
/// Whatever a process had open is closed when ``run(input:outputTo:killedAfter:meanwhile:)`` returns, and the process is
/// gone.
public struct Command: Sendable {
    /// The path of the program.
    public var program: String
    /// The arguments after its name.
    public var arguments: [String]
    /// The complete environment.
    public var environment: [String: String]
    /// The working directory; nil for that of this process.
    public var folder: URL?

    /// The time limit for a process that should end by itself: nothing here takes a second, but a busy machine may
    /// take many.
    private static let patience = Duration.seconds(120)

    /// Creates a command with the environment and working directory of this process.
    public init(_ program: String, _ arguments: [String] = []) {
        self.program = program
        self.arguments = arguments
        environment = ProcessInfo.processInfo.environment
    }

    /// Runs the program to its end.
    ///
    /// - Parameters:
    ///   - input: Its standard input.
    ///   - device: A device to which standard output is redirected instead of into the outcome.
    ///   - delay: The time after which it is killed. Without it, a program that does not end is killed as
    ///     well, and is an error.
    ///   - meanwhile: Runs at the same time, with the process id.
    /// - Throws: ``CommandFailure``, what the system says of a program that cannot be started, and what `meanwhile` throws,
    ///   which kills the program.
    public func run(
        input: Data = Data(), outputTo device: String? = nil, killedAfter delay: Duration? = nil,
        meanwhile: @escaping @Sendable (_ process: Int32) async throws -> Void = { _ in }
    ) async throws -> CommandOutcome {
        try await withThrowingTaskGroup(of: CommandOutcome?.self) { group in
            group.addTask { try await start(input: input, outputTo: device, meanwhile: meanwhile) }
            group.addTask {
                try await Task.sleep(for: delay ?? Self.patience)
                return nil
            }
            defer { group.cancelAll() }
            if let outcome = try await group.next() ?? nil { return outcome }
            // A process whose task is cancelled is killed.
            group.cancelAll()
            let outcome = try? await group.next() ?? nil
            guard let outcome, delay != nil else { throw CommandFailure.didNotEnd(description) }
            return outcome
        }
    }

    private func start(
        input: Data, outputTo device: String?, meanwhile: @Sendable (Int32) async throws -> Void
    ) async throws -> CommandOutcome {
        guard let device else {
            let result = try await start(input: input, output: .bytes(limit: .max), meanwhile: meanwhile)
            return CommandOutcome(result.terminationStatus, result.standardOutput, result.standardError)
        }
        let output = try FileDescriptor.open(FilePath(device), .writeOnly)
        let result = try await start(
            input: input, output: .fileDescriptor(output, closeAfterSpawningProcess: true), meanwhile: meanwhile)
        return CommandOutcome(result.terminationStatus, [], result.standardError)
    }

    private func start<Output: OutputProtocol>(
        input: Data, output: Output, meanwhile: @Sendable (Int32) async throws -> Void
    ) async throws -> ExecutionResult<Void, Output, BytesOutput> {
        try await Subprocess.run(
            .path(FilePath(program)), arguments: Arguments(arguments),
            environment: .custom(variables),
            workingDirectory: folder.map { FilePath($0.path) },
            input: .fileDescriptor(try Self.file(of: input), closeAfterSpawningProcess: true), output: output,
            error: .bytes(limit: .max)
        ) { try await meanwhile($0.processIdentifier.value) }
    }

    private var variables: [Environment.Key: String] {
        Dictionary(uniqueKeysWithValues: environment.map { (Environment.Key(stringLiteral: $0), $1) })
    }

    /// An unlinked file with the bytes. A pipe would not do: a process that writes to a pipe which is not read to its end is
    /// killed by SIGPIPE.
    private static func file(of bytes: Data) throws -> FileDescriptor {
        let url = FileManager.default.temporaryDirectory.appending(path: "leap-input-\(UUID().uuidString)")
        try bytes.write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        return try FileDescriptor.open(FilePath(url.path), .readOnly)
    }
}

extension Command: CustomStringConvertible {
    /// The program and its arguments, separated by spaces.
    public var description: String { ([program] + arguments).joined(separator: " ") }
}
