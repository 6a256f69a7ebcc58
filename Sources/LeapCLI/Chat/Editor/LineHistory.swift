/// The texts that the user has entered, and which of them is shown instead of the one being typed.
struct LineHistory {
    private var lines: [String] = []
    /// The index of the text that is shown; one past the last is the text being typed.
    private var shown = 0
    /// The text being typed, while another one is shown.
    private var draft = ""

    /// Adds an entered text, unless it repeats the last one.
    mutating func remember(_ line: String) {
        if !line.isEmpty, lines.last != line { lines.append(line) }
    }

    /// Returns to the text being typed.
    mutating func leave() { shown = lines.count }

    /// The text before the one shown; `nil` at the beginning.
    ///
    /// - Parameter current: The current text, which is saved if it is the one being typed.
    mutating func older(current: String) -> String? {
        guard shown > 0 else { return nil }
        if shown == lines.count { draft = current }
        shown -= 1
        return lines[shown]
    }

    /// The text after the one shown; `nil` at the end.
    mutating func newer() -> String? {
        guard shown < lines.count else { return nil }
        shown += 1
        return shown < lines.count ? lines[shown] : draft
    }

    /// The index of the newest text that contains another one.
    ///
    /// - Parameter limit: Searches only texts before this index; `nil` searches all.
    func search(_ text: String, before limit: Int?) -> Int? {
        guard !text.isEmpty else { return nil }
        return lines.prefix(limit ?? lines.count).lastIndex { $0.contains(text) }
    }

    /// The text at an index returned by ``search(_:before:)``.
    func line(at index: Int) -> String { lines[index] }
}
