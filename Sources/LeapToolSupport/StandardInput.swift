import Foundation

/// Input that is piped or redirected into the process, in addition to its arguments.
package enum StandardInput {
    /// Milliseconds that a pipe may be silent before a message says that the tool is waiting, and before it gives up.
    private static let (patience, limit) = (Int32(1_000), Int32(9_000))

    /// The text of a file, pipe or socket that standard input leads to, without the newline that ends its last line; `nil`
    /// where it leads elsewhere, is empty, or nothing comes: programs that start others, such as `ssh` and many runners of
    /// jobs, leave them a pipe that nobody writes to or ends.
    ///
    /// - Throws: ``CommandError`` for what cannot be read and what is not UTF-8.
    package static func text() throws(CommandError) -> String? {
        switch FileKind(descriptor: STDIN_FILENO) {
        case .regular: break
        case .pipe, .socket: guard arrives() else { return nil }
        case .directory, .other, nil: return nil
        }
        let text = try InputFile.prompt("-")
        return text.isEmpty ? nil : text
    }

    /// Whether something arrives, or the end.
    private static func arrives() -> Bool {
        if Descriptor.isReadable(STDIN_FILENO, within: patience) { return true }
        Console.error("waiting for standard input: Ctrl-D ends it; < /dev/null does without")
        if Descriptor.isReadable(STDIN_FILENO, within: limit) { return true }
        Console.error("note: nothing came on standard input in 10 seconds, so it is left out; -f - waits for it")
        return false
    }
}
