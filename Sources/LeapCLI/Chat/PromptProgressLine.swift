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
    ///
    /// - Parameters:
    ///   - read: Tokens that are read, or were known.
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
        "reading the prompt: \(read) of \(count) tokens, \(100 * read / max(count, 1)) %"
    }
}
