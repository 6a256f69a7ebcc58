import Dispatch
import Synchronization

/// Waits for asynchronous work from synchronous code.
package enum Blocking {
    /// Runs `body` to its end. Blocks the calling thread, which must not be one of Swift's cooperative pool.
    package static func wait<Result: Sendable>(
        for body: @escaping @Sendable () async throws -> Result
    ) throws -> Result {
        let outcome = Mutex<Swift.Result<Result, any Error>?>(nil)
        let done = DispatchSemaphore(value: 0)
        Task {
            let result: Swift.Result<Result, any Error>
            do { result = .success(try await body()) } catch { result = .failure(error) }
            outcome.withLock { $0 = result }
            done.signal()
        }
        done.wait()
        guard let result = outcome.withLock({ $0 }) else { throw CancellationError() }
        return try result.get()
    }
}
