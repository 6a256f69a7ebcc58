import Dispatch
import Foundation
import LeapGeneration
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
        source = Source(source: Self.makeSource())
        source.source.setEventHandler { [weak self] in self?.interrupt() }
        source.source.resume()
    }

    /// Tells of signals once it has a handler and is resumed.
    private static func makeSource() -> any DispatchSourceSignal {
        signal(SIGINT, SIG_IGN)  // the source takes it
        return DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
    }

    /// Runs `body`, which a signal stops by the flag.
    func cancelling<Result>(_ flag: CancellationFlag, _ body: () async throws -> Result) async rethrows -> Result {
        running.withLock { $0 = flag }
        defer { running.withLock { $0 = nil } }
        return try await body()
    }

    private func interrupt() {
        let flag = running.withLock { $0 }
        if let flag, !flag.isCancelled { flag.cancel() } else { exit(Self.exitCode) }
    }
}

extension Interrupts {
    /// How a process ends that Ctrl-C has ended: 128 and the signal's number.
    static let exitCode: Int32 = 130

    /// Runs `body` as a task that Ctrl-C cancels; one more leaves.
    static func cancelling<Result: Sendable>(
        _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let task = Task { try await body() }
        let source = makeSource()
        source.setEventHandler {
            if task.isCancelled { exit(exitCode) }
            task.cancel()
        }
        source.resume()
        defer {
            source.cancel()
            signal(SIGINT, SIG_DFL)
        }
        return try await task.value
    }
}
