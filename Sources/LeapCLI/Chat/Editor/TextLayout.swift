import LeapToolSupport

/// The positions of all characters of a prompt and a text on a terminal of a given width.
struct TextLayout {
    /// A row of the terminal.
    struct Row {
        /// The output that shows it.
        fileprivate(set) var text = ""
        fileprivate(set) var columns = 0
        /// Whether its first and its last character are ones about whose width terminals disagree.
        fileprivate var beginsUnsurely = false
        fileprivate var endsUnsurely = false
        /// Whether the next row continues the same line of the text.
        fileprivate(set) var isWrapped = false
    }

    private(set) var rows = [Row()]
    private(set) var cursorRow = 0
    private(set) var cursorColumn = 0

    /// The prefix of all lines except the first.
    static let continuation = "… "

    private static let tabWidth = 8

    /// Enough for any character.
    private static let fewestColumns = 2

    private let width: Int

    /// Lays a text out.
    ///
    /// - Parameters:
    ///   - prompt: The text before the edited text; it may contain anything.
    ///   - columns: The terminal's width.
    init(prompt: String, _ text: TextBuffer, columns: Int) {
        width = max(Self.fewestColumns, columns)
        for character in prompt { place(character) }
        for character in text.before { placeInText(character) }
        placeCursor()
        for character in text.rest { placeInText(character) }
    }

    /// The output that shows a row with others below it.
    struct Line: Equatable {
        let text: String
        /// The output that leads to the next row; `nil` for the last.
        let ending: String?
    }

    /// The output that shows some rows below each other. A full row wraps by itself, so that terminals know that its
    /// line continues.
    func lines(_ range: Range<Int>) -> [Line] {
        range.map { index in
            guard index + 1 < range.upperBound else { return Line(text: rows[index].text, ending: nil) }
            return Line(
                text: rows[index].text, ending: wrapsByItself(rows[index], before: rows[index + 1]) ? "" : "\r\n")
        }
    }

    /// Whether the terminal wraps by itself before the next row's first character.
    private func wrapsByItself(_ row: Row, before next: Row) -> Bool {
        row.isWrapped && row.columns == width && !row.endsUnsurely && !next.text.isEmpty && !next.beginsUnsurely
    }
}

// MARK: - Placing

extension TextLayout {
    private var column: Int { rows[rows.count - 1].columns }

    private mutating func placeInText(_ character: Character) {
        guard character == "\n" else { return place(character) }
        rows.append(Row())
        for character in Self.continuation { place(character) }
    }

    private mutating func place(_ character: Character) {
        if character == "\t" {
            placeTab()
        } else if let notation = character.notation {
            for character in notation { put(String(character), columns: 1, isUnsure: character.isCluster) }
        } else {
            put(String(character), columns: character.columns, isUnsure: character.isCluster)
        }
    }

    /// Spaces up to the next tab stop, but not beyond the edge.
    private mutating func placeTab() {
        let start = column == width ? 0 : column
        let end = min(width, (start / Self.tabWidth + 1) * Self.tabWidth)
        for _ in start..<end { put(" ", columns: 1, isUnsure: false) }
    }

    private mutating func put(_ text: String, columns: Int, isUnsure: Bool) {
        if column + columns > width { wrap() }
        let last = rows.count - 1
        if rows[last].columns == 0 { rows[last].beginsUnsurely = isUnsure }
        rows[last].columns += columns
        rows[last].text += isUnsure ? Self.guarded(text, endingAt: rows[last].columns, of: width) : text
        rows[last].endsUnsurely = isUnsure
    }

    /// A full row has no room for the cursor, which then is on the next row.
    private mutating func placeCursor() {
        if column == width { wrap() }
        cursorRow = rows.count - 1
        cursorColumn = column
    }

    private mutating func wrap() {
        rows[rows.count - 1].isWrapped = true
        rows.append(Row())
    }

    /// A character surrounded by escape sequences, so that it does not wrap and the next character is placed according
    /// to the layout, even if the terminal disagrees about its width.
    private static func guarded(_ text: String, endingAt column: Int, of width: Int) -> String {
        let place = column < width ? "\u{1B}[\(column + 1)G" : ""
        return "\u{1B}[?7l\(text)\u{1B}[?7h\(place)"
    }
}
