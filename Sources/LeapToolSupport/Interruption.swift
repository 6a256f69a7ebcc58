import Foundation

/// Ctrl-C.
package enum Interruption {
    /// The exit code of a process ended by Ctrl-C: 128 plus the signal's number.
    package static let exitCode: Int32 = 130

    /// Runs `body` as a task that Ctrl-C cancels; a second Ctrl-C exits.
    package static func cancelling<Result: Sendable>(
        _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let task = Task { try await body() }
        let source = SignalSource.start(SIGINT) {
            if task.isCancelled { exit(exitCode) }
            task.cancel()
        }
        defer {
            source.cancel()
            signal(SIGINT, SIG_DFL)
        }
        return try await task.value
    }
}
