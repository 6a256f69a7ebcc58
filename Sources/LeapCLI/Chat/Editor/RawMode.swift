import Foundation
import LeapToolSupport
import Synchronization

/// Raw mode of a terminal: every key is delivered when it is pressed, and pastes are bracketed.
///
/// Whatever ends the process by `exit` puts the terminal back.
final class RawMode: Sendable {
    /// Of the terminal that is standard input.
    static let standardInput: RawMode = {
        _ = atexit { RawMode.standardInput.endForGood() }
        return RawMode(descriptor: STDIN_FILENO)
    }()

    private let descriptor: Int32
    private let state = Mutex(State())

    private struct State {
        /// The terminal's own settings, while it has ours.
        var original: termios?
        var bracketsPastes = false
        /// Set at the end of the process: a thread that is still running must not switch the terminal to raw mode again.
        var isOver = false
    }

    init(descriptor: Int32) { self.descriptor = descriptor }

    /// Switches the terminal to raw mode; `false` if there is no terminal, or the process is ending.
    func enter() -> Bool {
        state.withLock { state in
            var settings = termios()
            guard !state.isOver, tcgetattr(descriptor, &settings) == 0 else { return false }
            if state.original == nil { state.original = settings }
            cfmakeraw(&settings)
            settings.c_oflag |= tcflag_t(OPOST)  // output stays as it is everywhere else
            guard tcsetattr(descriptor, TCSADRAIN, &settings) == 0 else { return false }
            Console.status("\u{1B}[?2004h")
            state.bracketsPastes = true
            return true
        }
    }

    /// Puts the terminal's settings back. Pastes keep their brackets, so that one that comes while nobody reads is still
    /// known as one text.
    func leave() { state.withLock { restoreSettings(&$0) } }

    /// Puts everything back.
    func end() { state.withLock { restoreEverything(&$0) } }

    /// Restores the terminal, and prevents any further switch to raw mode.
    func endForGood() {
        state.withLock { state in
            restoreEverything(&state)
            state.isOver = true
        }
    }

    private func restoreEverything(_ state: inout State) {
        restoreSettings(&state)
        if state.bracketsPastes { Console.status("\u{1B}[?2004l") }
        state.bracketsPastes = false
    }

    private func restoreSettings(_ state: inout State) {
        guard var settings = state.original else { return }
        _ = tcsetattr(descriptor, TCSADRAIN, &settings)
        state.original = nil
    }
}
