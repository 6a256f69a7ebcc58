import LeapToolSupport

/// The reader that suits this process's input.
enum LineReaders {
    /// A line editor on a terminal that supports escape sequences, drawing on standard error; otherwise plain lines
    /// from the system.
    ///
    /// - Parameter interrupts: Repeats the prompt of a plain line after a message.
    static func standard(_ interrupts: Interrupts) -> any LineReader {
        guard Console.inputIsTerminal, Console.errorIsTerminal, ProcessTerminal.understandsSequences else {
            return PlainLineReader(interrupts)
        }
        return LineEditor(ProcessTerminal())
    }
}
