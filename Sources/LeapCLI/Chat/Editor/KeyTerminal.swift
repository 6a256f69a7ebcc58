/// A terminal that delivers every key when it is pressed.
protocol KeyTerminal: AnyObject {
    var size: TerminalSize { get }

    /// Begins to hand over keys; `false` where the terminal cannot.
    func enter() -> Bool

    /// Puts the terminal back.
    func leave()

    /// Suspends the process, as Ctrl-Z does, until it is continued.
    func suspend()

    /// Waits for bytes.
    ///
    /// - Parameter timeout: How long, at most; `nil`: until some come.
    func read(within timeout: Duration?) -> TerminalInput

    func write(_ text: String)
}

/// What a terminal has to say.
enum TerminalInput: Equatable {
    case bytes([UInt8])
    case timeout
    /// The size may be another one.
    case resized
    /// The process was suspended and continues; the terminal shows something else.
    case continued
    /// The terminal is gone.
    case end
}

/// Rows and columns of a terminal.
struct TerminalSize: Equatable {
    var columns: Int
    var rows: Int
}
