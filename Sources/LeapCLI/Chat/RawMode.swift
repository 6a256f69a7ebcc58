import Foundation

/// A terminal that hands over every key as it is pressed.
struct RawMode {
    private let original: termios

    /// Switches standard input over; `nil` where that is no terminal.
    init?() {
        var settings = termios()
        guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return nil }
        original = settings
        cfmakeraw(&settings)
        settings.c_oflag |= tcflag_t(OPOST)  // output stays as it is everywhere else
        guard tcsetattr(STDIN_FILENO, TCSADRAIN, &settings) == 0 else { return nil }
    }

    /// Puts the terminal back.
    func leave() {
        var settings = original
        _ = tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
    }

    /// The next byte; `nil` at the end of the input.
    func readByte() -> UInt8? {
        var byte: UInt8 = 0
        while true {
            let count = Foundation.read(STDIN_FILENO, &byte, 1)
            if count == 1 { return byte }
            if count == 0 || errno != EINTR { return nil }
        }
    }
}
