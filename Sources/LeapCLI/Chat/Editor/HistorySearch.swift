/// A search through the history, from the youngest text to the oldest, while its pattern is typed.
struct HistorySearch {
    private(set) var pattern = ""
    /// The text that was being edited when the search began.
    let original: TextBuffer
    private var found: Int?
    private(set) var hasFailed = false

    init(original: TextBuffer) { self.original = original }

    /// The prompt during the search.
    var prompt: String { "(\(hasFailed ? "not found" : "search"): \(pattern)) " }

    /// Looks for a longer pattern, from the text that was found on.
    mutating func extend(_ text: String, in history: LineHistory) -> String? {
        pattern += text
        return look(history, before: found.map { $0 + 1 })
    }

    /// Looks for a shorter pattern, from the beginning.
    mutating func shorten(in history: LineHistory) -> String? {
        pattern = String(pattern.dropLast())
        found = nil
        return look(history, before: nil)
    }

    /// Looks for an older text.
    mutating func findNext(in history: LineHistory) -> String? { look(history, before: found) }

    /// The text that is found; `nil` where there is none, and the one shown stays.
    private mutating func look(_ history: LineHistory, before limit: Int?) -> String? {
        let match = history.search(pattern, before: limit)
        hasFailed = match == nil && !pattern.isEmpty
        guard let match else { return nil }
        found = match
        return history.line(at: match)
    }
}
