import Foundation
import LeapToolSupport
import Synchronization

/// A terminal's raw mode: every key is delivered when it is pressed, and pastes are bracketed.
///
/// Any exit of the process by `exit` restores the terminal.
final class RawMode: Sendable {
    /// For the terminal on standard input.
    static let standardInput: RawMode = {
        _ = atexit { RawMode.standardInput.endForGood() }
        return RawMode(descriptor: STDIN_FILENO)
    }()

    private let descriptor: Int32
    private let state = Mutex(State())

    private struct State {
        /// The terminal's original settings, while ours are in effect.
        var original: termios?
        var bracketsPastes = false
        /// Set at the end of the process: a thread that is still running must not enable raw mode again.
        var isOver = false
    }

    init(descriptor: Int32) { self.descriptor = descriptor }

    /// Enables raw mode; `false` if there is no terminal, or the process is ending.
    func enter() -> Bool {
        state.withLock { state in
            var settings = termios()
            guard !state.isOver, tcgetattr(descriptor, &settings) == 0 else { return false }
            if state.original == nil { state.original = settings }
            cfmakeraw(&settings)
            settings.c_oflag |= tcflag_t(OPOST)  // output stays unchanged everywhere else
            guard tcsetattr(descriptor, TCSADRAIN, &settings) == 0 else { return false }
            Console.status("\u{1B}[?2004h")
            state.bracketsPastes = true
            return true
        }
    }

    /// Restores the terminal's settings. Bracketed paste stays on, so that a paste that arrives while nothing is read
    /// is still recognised as one text.
    func leave() { state.withLock { restoreSettings(&$0) } }

    /// Restores everything.
    func end() { state.withLock { restoreEverything(&$0) } }

    /// Restores the terminal, and prevents raw mode from being enabled again.
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
