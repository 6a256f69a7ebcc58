package import Foundation

/// The process's standard streams. Answers go to standard output, everything else to standard error.
package enum Console {
    /// Writes text unbuffered, so that a stream appears as it arrives. Exits the process if that fails, as on a full
    /// disk, because further output would be pointless.
    package static func write(_ text: String) {
        do throws(SystemFailure) {
            try Descriptor.write(Data(text.utf8), to: STDOUT_FILENO)
        } catch {
            Self.error("error: standard output cannot be written: \(error)")
            exit(EXIT_FAILURE)
        }
    }

    /// Writes a line to standard output.
    package static func line(_ text: String) { write(text + "\n") }

    /// Writes a line to standard error.
    package static func error(_ text: String) { status(text + "\n") }

    /// Writes text unchanged to standard error.
    package static func status(_ text: String) {
        // If standard error is broken, this cannot be reported anywhere.
        try? Descriptor.write(Data(text.utf8), to: STDERR_FILENO)
    }

    /// Whether standard output is a terminal.
    package static var outputIsTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Whether standard error is a terminal.
    package static var errorIsTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// Whether standard input is a terminal.
    package static var inputIsTerminal: Bool { isatty(STDIN_FILENO) == 1 }

    /// Columns of the terminal; 80 if unknown.
    package static var columns: Int { columns(of: STDERR_FILENO) ?? 80 }

    /// Columns of standard output's terminal; `nil` if it is none, or has no known size.
    package static var outputColumns: Int? { columns(of: STDOUT_FILENO) }

    private static func columns(of descriptor: Int32) -> Int? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    /// All of standard input, but not much more than `limit` bytes.
    package static func readInput(atMost limit: Int = .max) throws(CommandError) -> Data {
        do { return try Descriptor.readToEnd(STDIN_FILENO, atMost: limit) } catch {
            throw CommandError("standard input cannot be read: \(error)")
        }
    }
}
