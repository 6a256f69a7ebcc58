import Testing

@testable import leap

/// What keys do to the text of the interactive chat.
@Suite struct LineBufferTests {
    @Test(
        "Editing keys change the text",
        arguments: [
            ("abc", [Key.left, .text("X")], "abXc"), ("abc", [.home, .delete], "bc"), ("abc", [.backspace], "ab"),
            ("", [.backspace, .delete, .left, .right, .killWord, .killToEnd, .killToStart, .transpose, .yank], ""),
            ("one two", [.killWord], "one "), ("one-two", [.killWord], ""), ("one-two", [.killWordLeft], "one-"),
            ("one two", [.home, .wordRight, .killToEnd], "one"), ("one two", [.wordLeft, .killToStart], "two"),
            ("one two", [.home, .killWordRight], " two"), ("ab", [.home, .text("é"), .end, .text("!")], "éab!"),
            ("abc", [.home, .backspace, .left], "abc"), ("a\nb\nc", [.up, .killToStart], "a\n\nc"),
            ("a\nb\nc", [.up, .home, .killToEnd, .killToEnd], "a\nc"), ("a\nbc", [.home, .killToStart], "abc"),
            ("a\nbc", [.up, .text("!")], "a!\nbc"), ("abc", [.transpose], "acb"),
            ("abc", [.home, .right, .transpose], "bac"),
            ("a\nb", [.transpose], "a\nb"), ("a", [.newline, .text("b")], "a\nb"), ("a", [.paste("1\r2")], "a1\n2"),
            ("one two", [.killWord, .yank, .yank], "one twotwo"),
            ("one two", [.killWord, .killWord, .text("x"), .yank], "xone two"),
            ("one two", [.home, .killWordRight, .killWordRight, .yank], "one two"),
            ("one two", [.killWord, .left, .killWord, .yank], "one "),
        ])
    func editing(start: String, keys: [Key], expected: String) {
        var buffer = LineBuffer()
        buffer.apply(.paste(start))
        for key in keys { buffer.apply(key) }
        #expect(buffer.text == expected)
    }

    /// A buffer with some texts in its history.
    private func buffer(after texts: [String]) -> LineBuffer {
        var buffer = LineBuffer()
        for text in texts {
            buffer.apply(.paste(text))
            #expect(buffer.finish() == text)
        }
        return buffer
    }

    @Test("Moving through the history keeps the text being typed")
    func history() {
        var buffer = buffer(after: ["first", "second", "second"])
        buffer.apply(.text("x"))
        buffer.apply(.up)
        #expect(buffer.text == "second")
        buffer.apply(.up)
        #expect(buffer.text == "first")  // a repeated text is remembered once
        buffer.apply(.up)
        #expect(buffer.text == "first")
        buffer.apply(.down)
        buffer.apply(.down)
        #expect(buffer.text == "x")
        buffer.apply(.down)
        #expect(buffer.text == "x")
    }

    @Test("A multi-line text is one history entry, and arrow keys move through its lines first")
    func longEntries() {
        var buffer = buffer(after: ["first", "one\ntwo"])
        buffer.apply(.up)
        #expect(buffer.text == "one\ntwo")
        buffer.apply(.up)
        #expect(buffer.text == "one\ntwo")
        buffer.apply(.up)
        #expect(buffer.text == "first")
        buffer.apply(.down)
        #expect(buffer.text == "one\ntwo")
    }

    @Test("A search finds the newest text, then older ones, and Escape cancels it")
    func search() {
        var buffer = buffer(after: ["red apple", "green pear", "green apple"])
        buffer.apply(.text("typed"))
        buffer.apply(.search)
        buffer.apply(.text("apple"))
        #expect(buffer.text == "green apple")
        #expect(buffer.search?.prompt == "(search: apple) ")
        buffer.apply(.search)
        #expect(buffer.text == "red apple")
        buffer.apply(.search)
        #expect(buffer.text == "red apple")
        #expect(buffer.search?.prompt == "(not found: apple) ")
        for _ in 0..<5 { buffer.apply(.backspace) }
        buffer.apply(.text("pear"))
        #expect(buffer.text == "green pear")
        buffer.apply(.escape)
        #expect(buffer.text == "typed")
        #expect(buffer.search == nil)
        buffer.apply(.search)
        buffer.apply(.text("red"))
        buffer.apply(.home)
        buffer.apply(.text("a "))
        #expect(buffer.text == "a red apple")
    }
}
