import Foundation

/// The process's standard streams. Answers go to standard output, all else to standard error.
enum Console {
    /// Writes text as it is and flushes, so that a stream appears as it comes.
    static func write(_ text: String) {
        FileHandle.standardOutput.write(Data(text.utf8))
    }

    /// Writes a line to standard output.
    static func line(_ text: String) { write(text + "\n") }

    /// Writes a line to standard error.
    static func error(_ text: String) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }

    /// Writes text as it is to standard error.
    static func status(_ text: String) {
        FileHandle.standardError.write(Data(text.utf8))
    }

    /// Whether a person watches standard error.
    static var errorIsTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// Whether a person types on standard input.
    static var inputIsTerminal: Bool { isatty(STDIN_FILENO) == 1 }

    /// All of standard input.
    static func readInput() throws -> Data {
        try FileHandle.standardInput.readToEnd() ?? Data()
    }
}
