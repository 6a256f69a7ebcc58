import LeapToolSupport

/// The reader that suits this process's input.
enum LineReaders {
    /// A line editor on a terminal that supports escape sequences, drawing on standard error; otherwise plain lines
    /// from the system.
    static func standard() -> any LineReader {
        guard Console.inputIsTerminal, Console.errorIsTerminal, ProcessTerminal.understandsSequences else {
            return PlainLineReader()
        }
        return LineEditor(ProcessTerminal())
    }
}
