import Foundation
import LeapToolSupport
import Synchronization

/// The mode of a terminal in which every key is handed over as it is pressed, and pastes stand in brackets.
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
        /// A thread that goes on while the process ends must not switch the terminal over once more.
        var isOver = false
    }

    init(descriptor: Int32) { self.descriptor = descriptor }

    /// Switches the terminal over; `false` where there is none, and where the process ends.
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

    /// Puts everything back, and lets nobody switch the terminal over again.
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
