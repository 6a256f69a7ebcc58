/// An incremental search through the history, from the newest text to the oldest.
struct HistorySearch {
    private(set) var pattern = ""
    /// The text that was being edited when the search started.
    let original: TextBuffer
    private var found: Int?
    private(set) var hasFailed = false

    init(original: TextBuffer) { self.original = original }

    /// The prompt during the search.
    var prompt: String { "(\(hasFailed ? "not found" : "search"): \(pattern)) " }

    /// Searches for an extended pattern, from the text that was found on.
    mutating func extend(_ text: String, in history: LineHistory) -> String? {
        pattern += text
        return look(history, before: found.map { $0 + 1 })
    }

    /// Searches for a shortened pattern, from the start.
    mutating func shorten(in history: LineHistory) -> String? {
        pattern = String(pattern.dropLast())
        found = nil
        return look(history, before: nil)
    }

    /// Searches for an older text.
    mutating func findNext(in history: LineHistory) -> String? { look(history, before: found) }

    /// The text that was found; `nil` if there is none, in which case the shown text stays.
    private mutating func look(_ history: LineHistory, before limit: Int?) -> String? {
        let match = history.search(pattern, before: limit)
        hasFailed = match == nil && !pattern.isEmpty
        guard let match else { return nil }
        found = match
        return history.line(at: match)
    }
}
