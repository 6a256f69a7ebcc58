import LeapToolSupport
import Synchronization

/// Shows the progress of a long prompt on a terminal, in a line that disappears when the answer begins.
final class PromptProgressLine: Sendable {
    /// The number of tokens from which the delay is noticeable.
    private static let worthShowing = 512

    private let state = Mutex(State())

    private struct State {
        /// Tokens that were cached at the start.
        var known = 0
        var isReading = false
        var isShown = false
    }

    /// Shows the progress.
    ///
    /// - Parameters:
    ///   - read: Tokens that have been read, or were cached.
    ///   - count: Tokens of the prompt.
    func update(_ read: Int, of count: Int) {
        guard Console.errorIsTerminal, ProcessTerminal.understandsSequences else { return }
        state.withLock { state in
            if !state.isReading { state.known = read }
            state.isReading = true
            let isDone = read >= count
            if isDone {
                if state.isShown { Console.status("\r\u{1B}[K") }
                state = State()
            } else if count - state.known >= Self.worthShowing {
                Console.status("\r\u{1B}[K\(Self.text(read, of: count))")
                state.isShown = true
            }
        }
    }

    private static func text(_ read: Int, of count: Int) -> String {
        "processing the prompt: \(read) of \(count) tokens, \(100 * read / max(count, 1)) %"
    }
}
