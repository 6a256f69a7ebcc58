import LeapSDK
import LeapToolSupport
import Synchronization

/// Shows on a terminal how far a long prompt is read, in a line that goes away when the answer begins.
final class PromptProgressLine: Sendable {
    /// Tokens to read from which a person would wonder what takes so long.
    private static let worthShowing = 512

    private let state = Mutex(State())

    private struct State {
        /// Tokens that were known when the reading began.
        var known = 0
        var isReading = false
        var isShown = false
    }

    /// Shows where the reading is.
    func update(_ progress: PromptProgress) {
        guard Console.errorIsTerminal, ProcessTerminal.understandsSequences else { return }
        state.withLock { state in
            if !state.isReading { state.known = progress.tokensRead }
            state.isReading = true
            let isDone = progress.tokensRead >= progress.promptTokens
            if isDone {
                if state.isShown { Console.status("\r\u{1B}[K") }
                state = State()
            } else if progress.promptTokens - state.known >= Self.worthShowing {
                Console.status("\r\u{1B}[K\(Self.text(progress))")
                state.isShown = true
            }
        }
    }

    private static func text(_ progress: PromptProgress) -> String {
        "reading the prompt: \(progress.tokensRead) of \(progress.promptTokens) tokens, "
            + "\(Int(progress.fraction * 100)) %"
    }
}
