/// A plain table of fixed-width columns, separated by two spaces.
struct TextTable {
    struct Column {
        let title: String
        let width: Int
        let isText: Bool

        /// A left-aligned column.
        static func left(_ title: String, _ width: Int) -> Column {
            Column(title: title, width: max(width, title.count), isText: true)
        }

        /// A right-aligned column.
        static func right(_ title: String, _ width: Int) -> Column {
            Column(title: title, width: max(width, title.count), isText: false)
        }
    }

    private let columns: [Column]
    private var lines: [String] = []

    init(_ columns: [Column]) {
        self.columns = columns
        lines = [line(columns.map(\.title)), line(columns.map { String(repeating: "─", count: $0.width) })]
    }

    /// Adds a line with one cell per column; cells that are too long shift the rest.
    mutating func add(_ cells: [String]) { lines.append(line(cells)) }

    /// All lines, each with its end.
    var text: String { lines.map { $0 + "\n" }.joined() }

    private func line(_ cells: [String]) -> String {
        let padded = zip(cells, columns).map { cell, column in
            let padding = String(repeating: " ", count: max(0, column.width - cell.count))
            return column.isText ? cell + padding : padding + cell
        }
        let line = padded.joined(separator: "  ")
        return String(line.reversed().drop { $0 == " " }.reversed())
    }
}
