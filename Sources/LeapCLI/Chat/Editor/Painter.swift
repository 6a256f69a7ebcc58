/// Updates a layout on the screen by writing only the changes.
///
/// Source of the sequences: ECMA-48, section 8.3 (CUU, CUD, CUF, ED).
struct Painter {
    /// The rows on the screen, as they were written.
    private var painted: [TextLayout.Line] = []
    /// The cursor's row among them.
    private var cursorRow = 0
    /// The first visible row of a layout that is taller than the screen.
    private var top = 0

    /// The output that shows a layout: all of it or, if the screen is too small, the rows around the cursor.
    mutating func paint(_ layout: TextLayout, height: Int) -> String {
        let height = max(1, height)
        top = max(min(top, layout.cursorRow), layout.cursorRow - height + 1)
        top = min(top, max(0, layout.rows.count - height))
        return show(layout, top..<min(layout.rows.count, top + height))
    }

    /// The output that shows the whole layout regardless of its height, and moves the cursor below it.
    mutating func finish(_ layout: TextLayout) -> String {
        top = 0
        let text = show(layout, 0..<layout.rows.count)
        defer { self = Painter() }
        return text + Self.vertical(from: cursorRow, to: painted.count - 1) + "\r\n"
    }

    /// The output that shows a layout on a terminal whose width has changed. Terminals rewrap long lines and move the cursor
    /// along, so it is already where the new layout has it.
    mutating func repaint(_ layout: TextLayout, height: Int) -> String {
        let row = min(layout.cursorRow, max(1, height) - 1)
        self = Painter()
        return Self.vertical(from: row, to: 0) + paint(layout, height: height)
    }

    private mutating func show(_ layout: TextLayout, _ range: Range<Int>) -> String {
        let lines = layout.lines(range)
        var text = ""
        let first = zip(painted, lines).prefix { $0 == $1 }.count
        if first < max(lines.count, painted.count) {
            text += Self.vertical(from: cursorRow, to: first) + Self.erasure
            text += lines[first...].map { $0.text + ($0.ending ?? "") }.joined()
            cursorRow = lines.count - 1
        }
        text += Self.vertical(from: cursorRow, to: layout.cursorRow - range.lowerBound) + "\r"
        if layout.cursorColumn > 0 { text += "\u{1B}[\(layout.cursorColumn)C" }
        painted = lines
        cursorRow = layout.cursorRow - range.lowerBound
        return text
    }

    /// Erases the cursor's row and everything below, and moves to the row's beginning. It does not erase from the first
    /// column, because in the screen's corner tmux would save the screen to its history, and show it again when the
    /// terminal grows.
    private static let erasure = "\r \u{1B}[J\r"

    private static func vertical(from row: Int, to other: Int) -> String {
        if other < row { return "\u{1B}[\(row - other)A" }
        return other > row ? "\u{1B}[\(other - row)B" : ""
    }
}
