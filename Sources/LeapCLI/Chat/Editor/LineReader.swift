import LeapToolSupport

/// Reads texts from a person.
protocol LineReader: AnyObject {
    /// Shows a prompt and reads a text, of one line unless `ending` wants more.
    ///
    /// - Parameters:
    ///   - text: What the person may edit to begin with; ignored where there is no editing.
    ///   - ending: Tells whether a text is complete when a line of it ends.
    func read(prompt: String, editing text: String, ending: (String) -> LineEnding) -> LineInput

    /// Whether a text to begin with can be edited.
    var canEdit: Bool { get }
}

extension LineReader {
    /// Shows a prompt and reads a line.
    func read(prompt: String) -> LineInput {
        read(prompt: prompt, editing: "") { _ in .complete }
    }
}

/// What came of a text.
enum LineInput: Equatable {
    case line(String)
    /// Ctrl-C.
    case interrupted(PromptInterruption)
    /// Ctrl-D on an empty line, or the end of the input.
    case end
}

/// When Ctrl-C was pressed.
enum PromptInterruption {
    /// After other keys that left a text, which is discarded.
    case ofText
    /// After other keys that left no text.
    case afterKeys
    /// Before any other key.
    case atOnce
}

/// What the end of a line means.
enum LineEnding {
    case complete
    /// The text continues on another line.
    case open
    /// The text continues on another line; its last character, which says so, is not part of it.
    case escaped
}
