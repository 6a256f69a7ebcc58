import LeapToolSupport

/// The reader that suits this process's input.
enum LineReaders {
    /// An editor on a terminal that understands escape sequences, which draws on standard error; elsewhere lines as the
    /// system gives them.
    static func standard() -> any LineReader {
        guard Console.inputIsTerminal, Console.errorIsTerminal, ProcessTerminal.understandsSequences else {
            return PlainLineReader()
        }
        return LineEditor(ProcessTerminal())
    }
}
