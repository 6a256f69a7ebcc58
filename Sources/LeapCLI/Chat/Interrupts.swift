import Dispatch
import Foundation
import LeapGeneration
import LeapToolSupport
import Synchronization

/// Ctrl-C: the first stops the answer that is being generated, one more leaves.
final class Interrupts: Sendable {
    private let running = Mutex<CancellationFlag?>(nil)
    private let source: Source

    /// A signal source never changes after it is resumed, which makes it safe to share.
    private struct Source: @unchecked Sendable {
        let source: any DispatchSourceSignal
    }

    init() {
        source = Source(source: Interruption.makeSource())
        source.source.setEventHandler { [weak self] in self?.interrupt() }
        source.source.resume()
    }

    /// Runs `body`, which a signal stops by the flag.
    func cancelling<Result>(_ flag: CancellationFlag, _ body: () async throws -> Result) async rethrows -> Result {
        running.withLock { $0 = flag }
        defer { running.withLock { $0 = nil } }
        return try await body()
    }

    private func interrupt() {
        let flag = running.withLock { $0 }
        if let flag, !flag.isCancelled { flag.cancel() } else { exit(Interruption.exitCode) }
    }
}
