import Dispatch
import Foundation
import LeapGeneration
import LeapToolSupport
import Synchronization

/// Ctrl-C: the first stops the answer that is being generated, the next one exits.
final class Interrupts: Sendable {
    private let state = Mutex(State.idle)
    /// What stands before the line that the terminal is reading; `nil` if it reads none.
    private let prompt = Mutex<String?>(nil)
    private let source: Source

    private enum State {
        /// Outside of a chat, while no answer is generated: one Ctrl-C exits.
        case idle
        case answering(CancellationFlag)
        /// In a chat, while no answer is generated. `isWarned`: the user was told that one more Ctrl-C exits.
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

    /// Runs `body`; a signal stops it by setting the flag.
    func cancelling<Result>(_ flag: CancellationFlag, _ body: () async throws -> Result) async rethrows -> Result {
        let before = state.withLock { state in
            defer { state = .answering(flag) }
            return state
        }
        defer { state.withLock { $0 = before } }
        return try await body()
    }

    /// The user is chatting, and has pressed no Ctrl-C yet, or another key since: a signal that comes too late for an
    /// answer does not end the chat.
    func chat() { state.withLock { $0 = .chatting(isWarned: false) } }

    /// Shows a prompt and runs `body`, which reads a line from a terminal without an editor. After the explanation, the
    /// prompt is repeated.
    func prompting<Result>(_ prompt: String, _ body: () -> Result) -> Result {
        self.prompt.withLock {
            Console.status(prompt)
            $0 = prompt
        }
        defer { self.prompt.withLock { $0 = nil } }
        return body()
    }

    /// Explains how to leave; `false` if that was done already.
    func warn() -> Bool {
        state.withLock { state in
            if case .chatting(isWarned: true) = state { return false }
            state = .chatting(isWarned: true)
            Console.error("Press Ctrl-C again to quit, or use Ctrl-D or /quit.")
            return true
        }
    }

    private func interrupt() {
        switch state.withLock({ $0 }) {
        case .answering(let flag) where !flag.isCancelled: flag.cancel()
        case .chatting:
            // In the lock, since a prompt that is shown meanwhile must stand after the explanation, and once.
            prompt.withLock { prompt in
                Console.status("\n")
                if !warn() { exit(Interruption.exitCode) }
                if let prompt { Console.status(prompt) }
            }
        case .idle, .answering: exit(Interruption.exitCode)
        }
    }
}
