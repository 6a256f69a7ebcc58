import LeapToolSupport

/// Reads texts from the user.
protocol LineReader: AnyObject {
    /// Shows a prompt and reads a text, of a single line unless `ending` requests more.
    ///
    /// - Parameters:
    ///   - text: The initial text; ignored if there is no editing.
    ///   - ending: Returns whether a text is complete at the end of a line.
    func read(prompt: String, editing text: String, ending: (String) -> LineEnding) -> LineInput

    /// Whether an initial text can be edited.
    var canEdit: Bool { get }
}

extension LineReader {
    /// Shows a prompt and reads a line.
    func read(prompt: String) -> LineInput {
        read(prompt: prompt, editing: "") { _ in .complete }
    }
}

/// The result of reading a text.
enum LineInput: Equatable {
    case line(String)
    /// Ctrl-C.
    case interrupted(PromptInterruption)
    /// Ctrl-D on an empty line, or the end of the input.
    case end
}

/// When Ctrl-C was pressed.
enum PromptInterruption {
    /// After keys that left a text, which is discarded.
    case ofText
    /// After keys that left no text.
    case afterKeys
    /// Before any other key.
    case atOnce
}

/// The meaning of a line's end.
enum LineEnding {
    case complete
    /// The text continues on another line.
    case open
    /// The text continues on another line; the continuation character at its end is dropped.
    case escaped
}
