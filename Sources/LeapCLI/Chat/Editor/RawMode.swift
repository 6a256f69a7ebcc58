import Foundation
import LeapToolSupport
import Synchronization

/// The mode of a terminal in which every key is handed over as it is pressed, and pastes stand in brackets.
///
/// Whatever ends the process by `exit` puts the terminal back.
enum RawMode {
    private static let state = Mutex(State())

    private struct State {
        /// The terminal's own settings, while it has ours.
        var original: termios?
        var bracketsPastes = false
    }

    /// Arranges once that the end of the process puts the terminal back.
    private static let endsWithProcess: Void = { _ = atexit { RawMode.end() } }()

    /// Switches standard input over; `false` where that is no terminal.
    static func enter() -> Bool {
        endsWithProcess
        return state.withLock { state in
            var settings = termios()
            guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return false }
            if state.original == nil { state.original = settings }
            cfmakeraw(&settings)
            settings.c_oflag |= tcflag_t(OPOST)  // output stays as it is everywhere else
            guard tcsetattr(STDIN_FILENO, TCSADRAIN, &settings) == 0 else { return false }
            Console.status("\u{1B}[?2004h")
            state.bracketsPastes = true
            return true
        }
    }

    /// Puts the terminal's settings back. Pastes keep their brackets, so that one that comes while nobody reads is still
    /// known as one text.
    static func leave() { state.withLock { restoreSettings(&$0) } }

    /// Puts everything back.
    static func end() {
        state.withLock { state in
            restoreSettings(&state)
            if state.bracketsPastes { Console.status("\u{1B}[?2004l") }
            state.bracketsPastes = false
        }
    }

    private static func restoreSettings(_ state: inout State) {
        guard var settings = state.original else { return }
        _ = tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
        state.original = nil
    }
}
