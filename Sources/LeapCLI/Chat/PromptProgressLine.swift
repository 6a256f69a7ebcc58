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
        var line = StatusLine()
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
            if read >= count {
                Self.finish(&state)
            } else if count - state.known >= Self.worthShowing {
                state.line.show(Self.text(read, of: count, columns: StatusLine.room))
            }
        }
    }

    /// Removes the line, however the prompt ended.
    func finish() { state.withLock { Self.finish(&$0) } }

    private static func finish(_ state: inout State) {
        state.line.clear()
        state = State()
    }

    private static func text(_ read: Int, of count: Int, columns: Int) -> String {
        let share = "\(100 * read / max(count, 1)) %"
        return StatusLine.fitted(
            "processing the prompt:", gap: " ", ["\(read) of \(count) tokens, \(share)", share], columns: columns)
    }
}
