/// A line on a terminal's standard error that is replaced again and again.
package struct StatusLine: Sendable {
    /// Columns of the text that is shown; `nil` if there is none.
    private var shown: Int?

    /// A line without a text.
    package init() {}

    /// Whether a text is shown.
    package var isShown: Bool { shown != nil }

    /// Columns for a text. The last one stays free: some terminals wrap the line as soon as it is written to.
    package static var room: Int { max(1, Console.columns - 1) }

    /// Replaces the text by another one, of which only what fits the terminal is shown.
    package mutating func show(_ text: String) {
        let text = text.prefix(columns: Self.room)
        Console.status(Self.cleared(shown, columns: Console.columns) + text)
        shown = text.columns
    }

    /// Removes the text.
    package mutating func clear() {
        guard isShown else { return }
        Console.status(Self.cleared(shown, columns: Console.columns))
        shown = nil
    }

    /// Keeps the text; what follows is in the next line.
    package mutating func end() {
        guard isShown else { return }
        Console.status("\n")
        shown = nil
    }

    /// The output that clears a text: all its rows, if the terminal has become narrower since.
    ///
    /// - Parameter shown: Columns of the text; `nil` if there is none.
    static func cleared(_ shown: Int?, columns: Int) -> String {
        guard let shown else { return "\r\u{1B}[J" }
        let above = max(0, shown - 1) / max(1, columns)
        return (above > 0 ? "\u{1B}[\(above)A" : "") + "\r\u{1B}[J"
    }

    /// A label and the first of some endings with which it fits the columns. If it fits with none, the label is shortened,
    /// and the last ending follows.
    ///
    /// - Parameter gap: The text between both.
    package static func fitted(_ label: String, gap: String, _ endings: [String], columns: Int) -> String {
        if let ending = endings.first(where: { label.columns + gap.columns + $0.columns <= columns }) {
            return label + gap + ending
        }
        let ending = endings.last ?? ""
        return "\(label.prefix(columns: max(0, columns - ending.columns - gap.columns - 1)))…\(gap)\(ending)"
    }
}
