import Foundation

/// Ctrl-C.
package enum Interruption {
    /// How a process ends that Ctrl-C has ended: 128 and the signal's number.
    package static let exitCode: Int32 = 130

    /// Runs `body` as a task that Ctrl-C cancels; one more leaves.
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
