/// A terminal that delivers every key as soon as it is pressed.
protocol KeyTerminal: AnyObject {
    var size: TerminalSize { get }

    /// Switches to delivering keys; `false` if the terminal cannot.
    func enter() -> Bool

    /// Restores the terminal.
    func leave()

    /// Suspends the process, as Ctrl-Z does, until it is continued.
    func suspend()

    /// Waits for bytes.
    ///
    /// - Parameter timeout: The longest wait; `nil` waits until bytes arrive.
    func read(within timeout: Duration?) -> TerminalInput

    func write(_ text: String)
}

/// Input from a terminal.
enum TerminalInput: Equatable {
    case bytes([UInt8])
    case timeout
    /// The size may have changed.
    case resized
    /// The process was suspended and continued; the screen has other contents.
    case continued
    /// The terminal has been closed.
    case end
}

/// Rows and columns of a terminal.
struct TerminalSize: Equatable {
    var columns: Int
    var rows: Int
}
