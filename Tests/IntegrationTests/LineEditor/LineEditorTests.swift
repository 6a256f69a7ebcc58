import Testing

@testable import leap

/// A terminal with scripted keys.
private final class ScriptedTerminal: KeyTerminal {
    var size: TerminalSize
    private(set) var screen: ScreenEmulator
    private(set) var drawings = 0
    private(set) var isEntered = false
    private(set) var suspensions = 0
    private var inputs: ArraySlice<TerminalInput>
    /// Called before the input of some index is given.
    var before: [Int: (ScriptedTerminal) -> Void] = [:]
    private var position = 0
    /// Whether the next input is available at once, for reads that do not wait.
    var isThere = false

    init(_ inputs: [TerminalInput], columns: Int = 40, rows: Int = 10) {
        self.inputs = inputs[...]
        size = TerminalSize(columns: columns, rows: rows)
        screen = ScreenEmulator(columns: columns, rows: rows)
    }

    convenience init(_ texts: String...) { self.init(texts.map { .bytes(Array($0.utf8)) }) }

    func enter() -> Bool {
        isEntered = true
        return true
    }

    func leave() { isEntered = false }

    func suspend() { suspensions += 1 }

    func read(within timeout: Duration?) -> TerminalInput {
        let waits = timeout == nil || timeout == .milliseconds(50)
        guard waits || isThere else { return .timeout }
        before[position]?(self)
        position += 1
        return inputs.popFirst() ?? .end
    }

    func write(_ text: String) {
        drawings += 1
        screen.write(text)
    }

    /// Changes the size and re-wraps everything on the screen, as many terminals do.
    func resize(columns: Int) {
        size.columns = columns
        let text = screen.text.joined()
        screen = ScreenEmulator(columns: columns, rows: size.rows)
        screen.write(text)
    }
}

/// Reading texts on a terminal.
@Suite struct LineEditorTests {
    private func read(
        _ terminal: ScriptedTerminal, editing text: String = "", _ ending: (String) -> LineEnding = MessageSyntax.ending
    ) -> LineInput {
        let input = LineEditor(terminal).read(prompt: "> ", editing: text, ending: ending)
        #expect(!terminal.isEntered)
        #expect(terminal.screen.unknown == [])
        return input
    }

    @Test("Keys become a line, and the cursor moves below it")
    func line() {
        let terminal = ScriptedTerminal("hel", "lp\u{7F}o\u{1B}[D\u{1B}[DX", "\r")
        #expect(read(terminal) == .line("helXlo"))
        #expect(terminal.screen.text == ["> helXlo"])
        #expect((terminal.screen.row, terminal.screen.column) == (1, 0))
    }

    @Test("All keys of a read are drawn at once")
    func onePerRead() {
        let text = String(repeating: "abcdefghij", count: 1000)
        let terminal = ScriptedTerminal(text, "\r")
        #expect(read(terminal) == .line(text))
        #expect(terminal.drawings == 3)  // the prompt, the text, and its end
    }

    @Test("A multi-line paste is one message that Enter sends")
    func paste() {
        let terminal = ScriptedTerminal("say: \u{1B}[200~one\rtwo\r", "three\u{1B}[201~", "!", "\r")
        #expect(read(terminal) == .line("say: one\ntwo\nthree!"))
        #expect(terminal.screen.text == ["> say: one", "… two", "… three!"])
    }

    @Test("A paste without brackets is recognised by text after Enter in the same read")
    func pasteWithoutBrackets() {
        #expect(read(ScriptedTerminal("one\rtwo\r", "\r")) == .line("one\ntwo\n"))
        #expect(read(ScriptedTerminal("one\r", "two\r")) == .line("one"))
        #expect(read(ScriptedTerminal("one\r\r", "two\r")) == .line("one"))
    }

    @Test("Every way of starting a new line continues the same message")
    func newlines() {
        #expect(read(ScriptedTerminal("a\n", "b\u{1B}\r", "c\\", "\r", "d", "\r")) == .line("a\nb\nc\nd"))
        let block = ScriptedTerminal("\"\"\"", "\r", "a \\", "\r", "b", "\r", "\"\"\"", "\r")
        #expect(read(block) == .line("\"\"\"\na \\\nb\n\"\"\""))
    }

    @Test("Typed-ahead input has a text per line feed, and a zero byte for Ctrl-D")
    func typedAhead() {
        let terminal = ScriptedTerminal("one\ntwo\n\0")
        terminal.isThere = true
        let editor = LineEditor(terminal)
        #expect(editor.read(prompt: "> ") == .line("one"))
        terminal.isThere = false
        #expect(editor.read(prompt: "> ") == .line("two"))
        #expect(editor.read(prompt: "> ") == .end)
        #expect(terminal.screen.text == ["> one", "> two", ">"])
    }

    @Test("Ctrl-C reports whether it discarded a text or followed other keys")
    func interrupts() {
        let editor = LineEditor(ScriptedTerminal("\u{3}", "a\u{3}", "a\u{7F}", "\u{3}", "\u{3}", "b\r"))
        let inputs = (0..<5).map { _ in editor.read(prompt: "> ") }
        #expect(
            inputs == [
                .interrupted(.atOnce), .interrupted(.ofText), .interrupted(.afterKeys), .interrupted(.atOnce),
                .line("b"),
            ])
    }

    @Test("Ctrl-D ends the input on an empty line, and deletes a character elsewhere")
    func endOfInput() {
        #expect(read(ScriptedTerminal("\u{4}")) == .end)
        #expect(read(ScriptedTerminal("ab\u{1}\u{4}\r")) == .line("b"))
        #expect(read(ScriptedTerminal("ab")) == .end)  // the terminal is gone
    }

    @Test("An unterminated paste is ended by Ctrl-C in a read of its own")
    func brokenPaste() {
        let terminal = ScriptedTerminal("\u{1B}[200~one\u{3}two", "\u{3}", "x\r")
        #expect(read(terminal) == .interrupted(.atOnce))
    }

    @Test("A lone Escape ends a search, and one that starts an arrow key waits for the rest")
    func escape() {
        let history = ScriptedTerminal([
            .bytes(Array("red\r".utf8)), .bytes(Array("a\u{12}re".utf8)), .bytes([0x1B]), .timeout, .bytes([0x0D]),
            .bytes(Array("ab".utf8)), .bytes([0x1B]), .bytes(Array("[DX\r".utf8)),
        ])
        let editor = LineEditor(history)
        #expect(editor.read(prompt: "> ") == .line("red"))
        #expect(editor.read(prompt: "> ") == .line("a"))
        #expect(editor.read(prompt: "> ") == .line("aXb"))
    }

    @Test("A text to edit is shown at the start")
    func prefilled() {
        let terminal = ScriptedTerminal("!\r")
        #expect(read(terminal, editing: "Hello\nthere") == .line("Hello\nthere!"))
        #expect(terminal.screen.text == ["> Hello", "… there!"])
    }

    @Test("The text is redrawn when the terminal's width changes", arguments: [10, 13, 40, 79])
    func resize(columns: Int) {
        let terminal = ScriptedTerminal(
            [
                .bytes(Array("The quick brown fox jumps over it".utf8)), .resized, .bytes(Array("!\r".utf8)),
            ], columns: 30)
        terminal.before = [1: { $0.resize(columns: columns) }]
        #expect(read(terminal) == .line("The quick brown fox jumps over it!"))
        #expect(terminal.screen.text.joined().replacing(" ", with: "") == ">Thequickbrownfoxjumpsoverit!")
        #expect(terminal.screen.text.first?.count ?? 0 <= columns)
    }

    @Test("Ctrl-Z suspends the process, and the text is redrawn when it continues")
    func suspension() {
        let terminal = ScriptedTerminal("abc\u{1}\u{1A}", "X\r")
        #expect(read(terminal) == .line("Xabc"))
        #expect(terminal.suspensions == 1)
        #expect(terminal.screen.text == ["> abc", "> Xabc"])
    }
}
