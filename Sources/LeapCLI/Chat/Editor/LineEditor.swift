import LeapToolSupport

/// A line editor on a terminal, for texts of one or more lines, with a history.
///
/// All keys that have arrived are applied before the text is redrawn, and only the differences are written.
final class LineEditor: LineReader {
    private let terminal: any KeyTerminal
    private var decoder = KeyDecoder()
    private var buffer = LineBuffer()
    private var painter = Painter()
    /// Keys that arrived together with the one that ended a text.
    private var early: [Key] = []
    /// The number of columns for which the text was drawn.
    private var columns = 0
    /// Whether no key has been pressed yet.
    private var isUntouched = true
    /// Whether the terminal has been closed.
    private var hasEnded = false

    let canEdit = true

    /// How long to wait after an escape character for further bytes of its sequence. Over a network they arrive together.
    private static let escapeTimeout = Duration.milliseconds(50)

    /// This many bytes at once are a paste, whose next piece arrives immediately.
    private static let pasteSize = 64
    private static let pasteTimeout = Duration.milliseconds(10)

    /// The most bytes between two redraws.
    private static let batchSize = 1 << 20

    init(_ terminal: any KeyTerminal) { self.terminal = terminal }

    func read(prompt: String, editing text: String, ending: (String) -> LineEnding) -> LineInput {
        guard terminal.enter() else { return .end }
        defer { terminal.leave() }
        isUntouched = true
        columns = terminal.size.columns
        if !text.isEmpty { buffer.begin(with: text) }
        var keys = early + typedAhead()
        while true {
            early = []
            if let input = take(keys, prompt, ending) { return input }
            draw(prompt)
            keys = nextKeys()
            if hasEnded { return .end }
        }
    }
}

// MARK: - Input

extension LineEditor {
    /// Keys that were typed before the editor started, while the terminal was in its normal mode, in which Enter sends
    /// a line feed and Ctrl-D a zero byte.
    private func typedAhead() -> [Key] {
        guard case .bytes(let bytes) = terminal.read(within: .zero) else { return [] }
        return decoder.append(gather(bytes).map { $0 == 0 ? 0x04 : $0 }).map { $0 == .newline ? .enter : $0 }
    }

    /// Waits for keys.
    private func nextKeys() -> [Key] {
        switch terminal.read(within: decoder.isEscaping ? Self.escapeTimeout : nil) {
        case .timeout: return decoder.endEscape()
        case .bytes(let bytes): return keys(gather(bytes))
        case .resized: break
        case .continued: painter = Painter()
        case .end: hasEnded = true
        }
        return []
    }

    /// All bytes that are available.
    private func gather(_ first: [UInt8]) -> [UInt8] {
        var bytes = first
        while bytes.count < Self.batchSize {
            let patience = bytes.count < Self.pasteSize ? Duration.zero : Self.pasteTimeout
            guard case .bytes(let more) = terminal.read(within: patience) else { break }
            bytes += more
        }
        return bytes
    }

    private func keys(_ bytes: [UInt8]) -> [Key] {
        // A terminal that never ends its paste would accept no more keys, except for this one pressed by itself.
        if decoder.isPasting && bytes == [0x03] {
            decoder = KeyDecoder()
            return [.interrupt]
        }
        return Self.recognisingPaste(decoder.append(bytes))
    }

    /// Detects pastes on terminals without bracketed paste: further keys after an Enter in the same read were not typed
    /// by hand. Line ends then belong to the text, which the user can review before it is sent.
    static func recognisingPaste(_ keys: [Key]) -> [Key] {
        guard let first = keys.firstIndex(of: .enter) else { return keys }
        let continues = keys[first...].contains { if case .text = $0 { true } else { false } }
        return continues ? keys.map { $0 == .enter ? .newline : $0 } : keys
    }
}

// MARK: - Keys

extension LineEditor {
    /// Applies keys up to the one that ends the text.
    private func take(_ keys: [Key], _ prompt: String, _ ending: (String) -> LineEnding) -> LineInput? {
        for (index, key) in keys.enumerated() {
            if let input = take(key, prompt, ending) {
                early = Array(keys[(index + 1)...])
                return input
            }
            isUntouched = false
        }
        return nil
    }

    private func take(_ key: Key, _ prompt: String, _ ending: (String) -> LineEnding) -> LineInput? {
        switch key {
        case .enter: return enter(prompt, ending)
        case .interrupt:
            let interruption: PromptInterruption =
                !buffer.content.isEmpty ? .ofText : isUntouched ? .atOnce : .afterKeys
            finish(prompt)
            buffer.forget()
            return .interrupted(interruption)
        case .endOfInput where buffer.content.isEmpty:
            finish(prompt)
            return .end
        case .endOfInput: buffer.apply(.delete)
        case .clearScreen:
            terminal.write("\u{1B}[H\u{1B}[2J")
            painter = Painter()
        case .suspend:
            finish(prompt)
            terminal.suspend()
        default: buffer.apply(key)
        }
        return nil
    }

    /// Ends the text, or a line of it.
    private func enter(_ prompt: String, _ ending: (String) -> LineEnding) -> LineInput? {
        buffer.apply(.enter)  // ends a search
        switch ending(buffer.text) {
        case .complete:
            finish(prompt)
            return .line(buffer.finish())
        case .open: buffer.apply(.newline)
        case .escaped:
            buffer.goToEnd()
            buffer.apply(.backspace)
            buffer.apply(.newline)
        }
        return nil
    }
}

// MARK: - Drawing

extension LineEditor {
    private func draw(_ prompt: String) {
        let size = terminal.size
        let layout = layout(prompt, columns: size.columns)
        if size.columns == columns {
            terminal.write(painter.paint(layout, height: size.rows))
        } else {
            columns = size.columns
            terminal.write(painter.repaint(layout, height: size.rows))
        }
    }

    /// Draws the whole text, however tall, and moves the cursor below it.
    private func finish(_ prompt: String) {
        terminal.write(painter.finish(layout(prompt, columns: terminal.size.columns)))
    }

    private func layout(_ prompt: String, columns: Int) -> TextLayout {
        TextLayout(prompt: buffer.search?.prompt ?? prompt, buffer.content, columns: columns)
    }
}
