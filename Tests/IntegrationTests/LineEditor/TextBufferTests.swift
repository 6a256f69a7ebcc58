import Testing
import _LeapTestSupport

@testable import leap

/// A text and a cursor in it.
@Suite struct TextBufferTests {
    /// The simplest equivalent buffer: an array and an index.
    private struct PlainBuffer {
        var characters: [Character] = []
        var cursor = 0

        mutating func insert(_ text: String) {
            let joined = String(characters[..<cursor]) + text
            let offset = joined.utf8.count
            replace(joined + String(characters[cursor...]), cursorAt: offset)
        }

        mutating func remove(_ range: Range<Int>) {
            let offset = String(characters[..<range.lowerBound]).utf8.count
            var rest = characters
            rest.removeSubrange(range)
            replace(rest.map(String.init).joined(), cursorAt: offset)
        }

        /// The cursor is after the character in which the text before it ends.
        private mutating func replace(_ text: String, cursorAt offset: Int) {
            characters = Array(text)
            cursor = 0
            var end = 0
            while end < offset {
                end += String(characters[cursor]).utf8.count
                cursor += 1
            }
        }
    }

    private static let pieces = [
        "a", "b ", "日", "é", "e", "\u{301}", "👩", "\u{200D}", "🚀", "🇩", "🇪", "🇫🇷", "\n", "\u{1F3FD}", "❤\u{FE0F}", " ",
        "क", "\u{94D}", "ष", "ᄒ", "ᅡ", "\u{0}",
    ]

    @Test("Random edits give the same result as with an array of characters", arguments: 0..<20)
    func random(seed: UInt64) {
        var generator = SeededRandomNumberGenerator(seed: seed)
        var buffer = TextBuffer()
        var plain = PlainBuffer()
        for _ in 0..<150 {
            switch Int.random(in: 0..<8, using: &generator) {
            case 0:
                buffer.move(.left, over: .character)
                plain.cursor = max(0, plain.cursor - 1)
            case 1:
                buffer.move(.right, over: .character)
                plain.cursor = min(plain.characters.count, plain.cursor + 1)
            case 2 where plain.cursor > 0:
                buffer.delete(.left, over: .character)
                plain.remove(plain.cursor - 1..<plain.cursor)
            case 3 where plain.cursor < plain.characters.count:
                buffer.delete(.right, over: .character)
                plain.remove(plain.cursor..<plain.cursor + 1)
            default:
                let text = (0..<Int.random(in: 1...3, using: &generator))
                    .compactMap { _ in Self.pieces.randomElement(using: &generator) }.joined()
                buffer.insert(text)
                plain.insert(text)
            }
            #expect(buffer.before + Array(buffer.rest) == plain.characters)
            #expect(buffer.before.count == plain.cursor)
            #expect(buffer.text == String(plain.characters))
        }
    }

    @Test(
        "A key removes a whole character, however many code points it has",
        arguments: ["é", "e\u{301}", "👨‍👩‍👧‍👦", "🇩🇪", "👍🏽", "क्ष", "1️⃣", "\n"])
    func graphemes(character: String) {
        var buffer = TextBuffer("a" + character + "b")
        buffer.move(.left, over: .character)
        buffer.delete(.left, over: .character)
        #expect(buffer.text == "ab")
        buffer.insert(character)
        buffer.move(.left, over: .character)
        buffer.delete(.right, over: .character)
        #expect(buffer.text == "ab")
    }

    @Test("Line breaks of all systems become line feeds")
    func lineBreaks() {
        #expect(TextBuffer("a\r\nb\rc\nd\n\re").text == "a\nb\nc\nd\n\ne")
    }

    @Test("Up and down keep the column where a line is long enough")
    func lines() {
        var buffer = TextBuffer("first line\nsecond\nthird line")
        buffer.move(.left, over: .character)
        let steps: [(up: Bool, moved: Bool, before: String)] = [
            (true, true, "first line\nsecond"), (true, true, "first "), (true, false, "first "),
            (false, true, "first line\nsecond"), (false, true, "first line\nsecond\nthird "),
            (false, false, "first line\nsecond\nthird "),
        ]
        for step in steps {
            let moved = step.up ? buffer.moveUp() : buffer.moveDown()
            #expect(moved == step.moved)
            #expect(String(buffer.before) == step.before)
        }
    }
}
