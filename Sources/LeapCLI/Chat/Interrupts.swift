import Dispatch
import Foundation
import LeapGeneration
import LeapToolSupport
import Synchronization

/// Ctrl-C: the first stops the answer that is being generated, one more leaves.
final class Interrupts: Sendable {
    private let state = Mutex(State.idle)
    private let source: Source

    private enum State {
        /// Outside of a chat, while no answer is generated: one Ctrl-C leaves.
        case idle
        case answering(CancellationFlag)
        /// In a chat, while no answer is generated. `isWarned`: the person was told that one more Ctrl-C leaves.
        case chatting(isWarned: Bool)
    }

    /// A signal source never changes after it is resumed, which makes it safe to share.
    private struct Source: @unchecked Sendable {
        let source: any DispatchSourceSignal
    }

    init() {
        source = Source(source: SignalSource.make(SIGINT))
        source.source.setEventHandler { [weak self] in self?.interrupt() }
        source.source.resume()
    }

    /// Runs `body`, which a signal stops by the flag.
    func cancelling<Result>(_ flag: CancellationFlag, _ body: () async throws -> Result) async rethrows -> Result {
        let before = state.withLock { state in
            defer { state = .answering(flag) }
            return state
        }
        defer { state.withLock { $0 = before } }
        return try await body()
    }

    /// A person chats, and has pressed no Ctrl-C yet, or another key since: a signal that comes too late for an answer
    /// does not end the chat.
    func chat() { state.withLock { $0 = .chatting(isWarned: false) } }

    /// Tells the person how to leave; `false` where that was said already.
    func warn() -> Bool {
        state.withLock { state in
            if case .chatting(isWarned: true) = state { return false }
            state = .chatting(isWarned: true)
            Console.error("Ctrl-C once more leaves, as do Ctrl-D and /quit.")
            return true
        }
    }

    private func interrupt() {
        switch state.withLock({ $0 }) {
        case .answering(let flag) where !flag.isCancelled: flag.cancel()
        case .chatting:
            Console.status("\n")
            if !warn() { exit(Interruption.exitCode) }
        case .idle, .answering: exit(Interruption.exitCode)
        }
    }
}
