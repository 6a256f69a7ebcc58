import LeapToolSupport
import Testing
import _LeapTestSupport

@testable import leap

/// Drawing of the text and the cursor on the screen.
@Suite struct PainterTests {
    /// What should be on the screen: cells of rows, and where the cursor stands.
    private struct Picture {
        var rows: [[String]] = [[]]
        var cursor = (row: 0, column: 0)
        let columns: Int

        init(prompt: String, _ buffer: TextBuffer, columns: Int) {
            self.columns = columns
            prompt.forEach { draw($0) }
            buffer.before.forEach { draw($0) }
            if rows[rows.count - 1].count == columns { rows.append([]) }
            cursor = (rows.count - 1, rows[rows.count - 1].count)
            buffer.rest.forEach { draw($0) }
            rows = rows.map { $0 + Array(repeating: " ", count: columns - $0.count) }
        }

        private mutating func draw(_ character: Character) {
            if character == "\n" {
                rows.append([])
                return TextLayout.continuation.forEach { draw($0) }
            }
            if character == "\t" {
                let start = rows[rows.count - 1].count % columns
                return (start..<min(columns, start / 8 * 8 + 8)).forEach { _ in cell(" ", 1) }
            }
            if let notation = character.notation { return notation.forEach { cell($0, 1) } }
            cell(character, character.columns)
        }

        private mutating func cell(_ character: Character, _ width: Int) {
            if rows[rows.count - 1].count + width > columns { rows.append([]) }
            rows[rows.count - 1] += [String(character)] + Array(repeating: "", count: width - 1)
        }
    }

    private static let characters: [Character] = [
        "a", "b", "c", "d", " ", "é", "日", "本", "👍", "👨‍👩‍👧", "🇩🇪", "e\u{301}", "❤\u{FE0F}", "\n", "\t", "\u{1B}",
        "\u{202E}", "\u{301}",
    ]

    private static func randomKey(_ generator: inout SeededRandomNumberGenerator) -> Key {
        let moves: [Key] = [
            .left, .right, .home, .end, .wordLeft, .wordRight, .up, .down, .backspace, .delete, .killWord, .killToEnd,
            .yank, .transpose, .newline, .killToStart,
        ]
        guard Int.random(in: 0..<5, using: &generator) > 0 else {
            return moves.randomElement(using: &generator) ?? .left
        }
        let count = Int.random(in: 1...6, using: &generator)
        return .text(String((0..<count).compactMap { _ in characters.randomElement(using: &generator) }))
    }

    @Test(
        "After every key the screen shows the text around the cursor",
        arguments: [2, 3, 5, 8, 13, 20, 80], [1, 2, 5, 24])
    func random(columns: Int, rows: Int) {
        var generator = SeededRandomNumberGenerator(seed: UInt64(columns * 100 + rows))
        var buffer = LineBuffer()
        var painter = Painter()
        var screen = ScreenEmulator(columns: columns, rows: rows)
        screen.write(String(repeating: "\r\n", count: rows / 2))
        for _ in 0..<80 {
            buffer.apply(Self.randomKey(&generator))
            let layout = TextLayout(prompt: "> ", buffer.content, columns: columns)
            screen.write(painter.paint(layout, height: rows))
            guard check(screen, Picture(prompt: "> ", buffer.content, columns: columns)) else { return }
        }
        #expect(screen.unknown == [])
    }

    /// Whether the screen shows a picture's rows around the cursor, and nothing below them.
    private func check(_ screen: ScreenEmulator, _ picture: Picture) -> Bool {
        let visible = min(picture.rows.count, screen.rows)
        let isShown = (0...picture.rows.count - visible).contains { top in
            let first = screen.row - (picture.cursor.row - top)
            guard first >= 0, first + visible <= screen.rows, picture.cursor.row >= top else { return false }
            return Array(screen.cells[first..<first + visible]) == Array(picture.rows[top..<top + visible])
                && screen.cells[(first + visible)...].allSatisfy { $0.allSatisfy { $0 == " " } }
        }
        #expect(isShown, "screen \(screen.cells), picture \(picture.rows)")
        #expect(screen.column == picture.cursor.column)
        return isShown && screen.column == picture.cursor.column
    }

    @Test("Terminals that split joined characters still show the others in the right place")
    func disagreement() {
        // Widths in terminals that do not support joined characters.
        var screen = ScreenEmulator(columns: 20, rows: 4) { character in
            character.unicodeScalars.map { Character($0).columns }.reduce(0, +)
        }
        var painter = Painter()
        let text = TextBuffer("a👨‍👩‍👧b🇩🇪c")
        screen.write(painter.paint(TextLayout(prompt: "> ", text, columns: 20), height: 4))
        #expect(screen.cells[0][2] == "a")
        #expect(screen.cells[0][5] == "b")
        #expect(screen.cells[0][8] == "c")
        #expect((screen.row, screen.column) == (0, 9))
    }

    @Test("Earlier output on the screen stays, and later output goes below")
    func neighbours() {
        var screen = ScreenEmulator(columns: 10, rows: 6)
        var painter = Painter()
        screen.write("above\r\n")
        for text in ["abcdefgh", "abcdefghi", "abcdefghijklmnopqrst", "ab"] {
            screen.write(painter.paint(TextLayout(prompt: "> ", TextBuffer(text), columns: 10), height: 6))
        }
        screen.write(painter.finish(TextLayout(prompt: "> ", TextBuffer("ab"), columns: 10)) + "below")
        #expect(screen.text == ["above", "> ab", "below"])
    }

    @Test("Drawing at the top of the screen adds nothing to the scrollback")
    func corner() {
        var screen = ScreenEmulator(columns: 10, rows: 6)
        var painter = Painter()
        for text in ["", "a", "abcdefghijklmnopqrst", "ab\ncd", "b", ""] {
            screen.write(painter.paint(TextLayout(prompt: "> ", TextBuffer(text), columns: 10), height: 6))
        }
        screen.write(painter.repaint(TextLayout(prompt: "> ", TextBuffer("abc"), columns: 5), height: 6))
        #expect(screen.text == ["> abc"])
        #expect(screen.erasuresFromCorner == 0)
    }

    @Test("A finished text is written completely, even if it is taller than the screen")
    func tall() {
        var painter = Painter()
        let layout = TextLayout(
            prompt: "> ", TextBuffer((1...9).map { "line \($0)" }.joined(separator: "\n")), columns: 10)
        var small = ScreenEmulator(columns: 10, rows: 4)
        small.write(painter.paint(layout, height: 4))
        #expect(small.text == ["… line 6", "… line 7", "… line 8", "… line 9"])
        let last = painter.finish(layout)
        small.write(last + "below")
        #expect(small.text == ["… line 7", "… line 8", "… line 9", "below"])
        var large = ScreenEmulator(columns: 10, rows: 20)
        large.write(last)
        #expect(large.text == ["> line 1"] + (2...9).map { "… line \($0)" })
    }

    @Test("Wrapped rows are written without breaks, so that terminals can reflow them")
    func softWrapping() {
        var painter = Painter()
        let text = painter.paint(TextLayout(prompt: "> ", TextBuffer("abcdefghijkl"), columns: 10), height: 5)
        #expect(text.contains("> abcdefghijkl"))
    }

    @Test("Only rows that changed are written again")
    func differences() {
        var painter = Painter()
        let text = String(repeating: "abcdefghij", count: 100)
        _ = painter.paint(TextLayout(prompt: "> ", TextBuffer(text), columns: 80), height: 40)
        let more = painter.paint(TextLayout(prompt: "> ", TextBuffer(text + "k"), columns: 80), height: 40)
        #expect(more.utf8.count < 120)
        let nothing = painter.paint(TextLayout(prompt: "> ", TextBuffer(text + "k"), columns: 80), height: 40)
        #expect(!nothing.contains("a"))
    }
}
