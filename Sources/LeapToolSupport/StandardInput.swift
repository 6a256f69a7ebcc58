import Foundation

/// Input that is piped or redirected into the process, in addition to its arguments.
package enum StandardInput {
    /// Milliseconds of silence on a pipe before a message says that the tool is waiting, and before it gives up.
    private static let (patience, limit) = (Int32(1_000), Int32(9_000))

    /// The text of a file, pipe or socket on standard input, without the newline that ends its last line; `nil` if
    /// standard input is something else, is empty, or delivers nothing: programs that start others, such as `ssh` and
    /// many job runners, leave them a pipe that is never written to or closed.
    ///
    /// - Throws: ``CommandError`` if it cannot be read or is not UTF-8.
    package static func text() throws(CommandError) -> String? {
        switch FileKind(descriptor: STDIN_FILENO) {
        case .regular: break
        case .pipe, .socket: guard arrives() else { return nil }
        case .directory, .other, nil: return nil
        }
        let text = try InputFile.prompt("-")
        return text.isEmpty ? nil : text
    }

    /// Whether data arrive, or the end.
    private static func arrives() -> Bool {
        if Descriptor.isReadable(STDIN_FILENO, within: patience) { return true }
        Console.error("waiting for standard input: press Ctrl-D to end it, or run with < /dev/null")
        if Descriptor.isReadable(STDIN_FILENO, within: limit) { return true }
        Console.error("note: no data on standard input for 10 seconds, continuing without it; use -f - to wait for it")
        return false
    }
}
