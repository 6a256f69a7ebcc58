import Foundation
import Synchronization

/// Ctrl-C stops the current work or, if there is none, the program.
enum Interrupts {
    private static let work = Mutex<Task<Void, any Error>?>(nil)

    // It is not changed once it is active.
    nonisolated(unsafe) private static let source = {
        signal(SIGINT, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: SIGINT)
        source.setEventHandler {
            guard let task = work.withLock({ $0 }) else { exit(130) }
            task.cancel()
        }
        source.resume()
        return source
    }()

    /// Runs work that Ctrl-C stops.
    static func stopping(_ body: @escaping @Sendable () async throws -> Void) async throws {
        _ = source
        let task = Task { try await body() }
        work.withLock { $0 = task }
        defer { work.withLock { $0 = nil } }
        try await task.value
    }
}
