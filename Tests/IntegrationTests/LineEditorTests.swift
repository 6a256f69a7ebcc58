import Testing

@testable import leap

/// What a person's keys do to the line of the interactive chat.
@Suite struct LineEditorTests {
    @Test(
        "Bytes of a terminal become keys",
        arguments: [
            ("a", [Key.text("a")]), ("é", [.text("é")]), ("日本", [.text("日"), .text("本")]), ("👍", [.text("👍")]),
            ("\r", [.enter]), ("\n", [.enter]), ("\u{7F}", [.backspace]), ("\u{3}", [.interrupt]),
            ("\u{4}", [.endOfInput]), ("\u{1B}[A", [.previous]), ("\u{1B}OB", [.next]), ("\u{1B}[3~", [.delete]),
            ("\u{1B}[1;5D", [.wordLeft]), ("\u{1B}[99;99Xa", [.text("a")]), ("\u{1B}b", [.wordLeft]),
            ("\u{1B}xa", [.text("a")]), ("\u{2}\u{6}", [.left, .right]),
        ])
    func decoding(bytes: String, keys: [Key]) {
        var decoder = KeyDecoder()
        #expect(bytes.utf8.compactMap { decoder.append($0) } == keys)
    }

    @Test("Bytes that are no text are swallowed or replaced, and what follows is read")
    func foreignBytes() {
        var decoder = KeyDecoder()
        let bytes: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF, 0x80, UInt8(ascii: "a")]
        let keys = bytes.compactMap { decoder.append($0) }
        #expect(keys.last == .text("a") || keys.last == .text("\u{FFFD}"))
        #expect(decoder.append(UInt8(ascii: "b")) == .text("b"))
    }

    @Test(
        "Editing keys change the line",
        arguments: [
            ("abc", [Key.left, .text("X")], "abXc"), ("abc", [.home, .delete], "bc"), ("abc", [.backspace], "ab"),
            ("", [.backspace, .delete, .left, .right, .killWord], ""), ("one two", [.killWord], "one "),
            ("one two", [.home, .wordRight, .killToEnd], "one"), ("one two", [.wordLeft, .killToStart], "two"),
            ("ab", [.home, .text("é"), .end, .text("!")], "éab!"), ("abc", [.home, .backspace, .left], "abc"),
        ])
    func editing(start: String, keys: [Key], expected: String) {
        var buffer = LineBuffer()
        for character in start { buffer.apply(.text(character)) }
        for key in keys { buffer.apply(key) }
        #expect(buffer.text == expected)
    }

    @Test("The history goes back and forth and keeps the line being typed")
    func history() {
        var buffer = LineBuffer()
        for line in ["first", "second", "second"] {
            for character in line { buffer.apply(.text(character)) }
            #expect(buffer.finish() == line)
        }
        buffer.apply(.text("x"))
        buffer.apply(.previous)
        #expect(buffer.text == "second")
        buffer.apply(.previous)
        #expect(buffer.text == "first")  // a repeated line is remembered once
        buffer.apply(.previous)
        #expect(buffer.text == "first")
        buffer.apply(.next)
        buffer.apply(.next)
        #expect(buffer.text == "x")
        buffer.apply(.next)
        #expect(buffer.text == "x")
    }
}
