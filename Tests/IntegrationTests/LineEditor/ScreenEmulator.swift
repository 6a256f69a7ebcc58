import LeapToolSupport

@testable import leap

/// As much of a terminal as a line editor needs: a grid of cells, a cursor, and the sequences that move and erase.
///
/// Source: ECMA-48, section 8.3; autowrap as DEC's VT100 did it: a character in the last column leaves the cursor there, and
/// the next one wraps.
struct ScreenEmulator {
    let columns: Int
    let rows: Int
    /// How wide the terminal believes a character to be.
    private let width: (Character) -> Int
    /// The characters; a wide one's second cell is empty.
    private(set) var cells: [[String]]
    private(set) var row = 0
    private(set) var column = 0
    private var wraps = true
    private var wrapsNext = false
    /// Unknown sequences.
    private(set) var unknown: [String] = []
    /// How often the screen was erased from its top left corner: tmux then moves it to the scrollback.
    private(set) var erasuresFromCorner = 0

    init(columns: Int, rows: Int, width: @escaping (Character) -> Int = { $0.columns }) {
        (self.columns, self.rows, self.width) = (columns, rows, width)
        cells = Array(repeating: Self.blank(columns), count: rows)
    }

    private static func blank(_ columns: Int) -> [String] { Array(repeating: " ", count: columns) }

    /// A row, without the blanks at its end.
    func text(_ row: Int) -> String {
        var text = cells[row].joined()[...]
        while text.last == " " { text = text.dropLast() }
        return String(text)
    }

    /// All rows that are not blank.
    var text: [String] { (0..<rows).map(text).filter { !$0.isEmpty } }

    mutating func write(_ text: String) {
        var rest = Array(text)[...]
        while let character = rest.popFirst() {
            switch character {
            case "\u{1B}": escape(&rest)
            case "\r": (column, wrapsNext) = (0, false)
            case "\n": feed()
            case "\r\n":
                (column, wrapsNext) = (0, false)
                feed()
            default: put(character)
            }
        }
    }

    private mutating func feed() {
        wrapsNext = false
        if row < rows - 1 { return row += 1 }
        cells.removeFirst()
        cells.append(Self.blank(columns))
    }

    private mutating func put(_ character: Character) {
        let size = min(columns, width(character))
        if wraps && (wrapsNext || column + size > columns) {
            column = 0
            feed()
        }
        column = min(column, columns - size)
        cells[row][column] = String(character)
        for other in column + 1..<max(column + 1, column + size) { cells[row][other] = "" }
        column += size
        wrapsNext = column == columns && wraps
        column = min(column, columns - 1)
    }

    private mutating func escape(_ rest: inout ArraySlice<Character>) {
        guard rest.popFirst() == "[" else { return unknown.append("ESC without [") }
        let parameters = String(rest.prefix { !$0.isLetter })
        rest = rest.dropFirst(parameters.count)
        guard let final = rest.popFirst() else { return unknown.append("ESC [ \(parameters)") }
        let count = Int(parameters) ?? 1
        switch (final, parameters) {
        case ("A", _): row = max(0, row - count)
        case ("B", _): row = min(rows - 1, row + count)
        case ("C", _): column = min(columns - 1, column + count)
        case ("G", _): column = min(columns, count) - 1
        case ("H", ""): (row, column) = (0, 0)
        case ("J", ""):
            if (row, column) == (0, 0) { erasuresFromCorner += 1 }
            erase(from: row, column)
        case ("J", "2"): erase(from: 0, 0)
        case ("h", "?7"): wraps = true
        case ("l", "?7"): wraps = false
        default: unknown.append("ESC [ \(parameters)\(final)")
        }
        if final != "h" && final != "l" { wrapsNext = false }
    }

    private mutating func erase(from row: Int, _ column: Int) {
        for place in column..<columns { cells[row][place] = " " }
        for other in row + 1..<max(row + 1, rows) { cells[other] = Self.blank(columns) }
    }
}
