/// The text being edited, the last removed text, and the history.
struct LineBuffer {
    private(set) var content = TextBuffer()
    private(set) var search: HistorySearch?
    private var history = LineHistory()
    /// The last removed text, for ``Key/yank``.
    private var killed = ""
    /// Whether the last key removed text too: then the next removed text is appended to it.
    private var isKilling = false

    /// The text.
    var text: String { content.text }

    /// Starts with a text to edit.
    mutating func begin(with text: String) {
        content = TextBuffer(text)
        history.leave()
    }

    /// Adds the text to the history and starts an empty one.
    mutating func finish() -> String {
        let line = text
        history.remember(line)
        forget()
        return line
    }

    /// Starts an empty text.
    mutating func forget() {
        content = TextBuffer()
        search = nil
        history.leave()
    }

    /// Moves the cursor to the end of the text.
    mutating func goToEnd() { content.move(.right, over: .everything) }

    /// Applies an editing key; other keys only end a search.
    mutating func apply(_ key: Key) {
        if search != nil, applyToSearch(key) { return }
        let isKill = applyKill(key)
        if !isKill && !applyMove(key) { applyChange(key) }
        isKilling = isKill
    }
}

// MARK: - Keys

extension LineBuffer {
    private mutating func applyChange(_ key: Key) {
        switch key {
        case .text(let text), .paste(let text): content.insert(text)
        case .newline: content.insert("\n")
        case .backspace: content.delete(.left, over: .character)
        case .delete: content.delete(.right, over: .character)
        case .yank: content.insert(killed)
        case .transpose: content.transpose()
        case .search: search = HistorySearch(original: content)
        default: break
        }
    }

    private mutating func applyMove(_ key: Key) -> Bool {
        switch key {
        case .left: content.move(.left, over: .character)
        case .right: content.move(.right, over: .character)
        case .wordLeft: content.move(.left, over: .word)
        case .wordRight: content.move(.right, over: .word)
        case .home: content.move(.left, over: .line)
        case .end: content.move(.right, over: .line)
        case .up: if !content.moveUp() { show(history.older(current: text)) }
        case .down: if !content.moveDown() { show(history.newer()) }
        default: return false
        }
        return true
    }

    private mutating func applyKill(_ key: Key) -> Bool {
        switch key {
        case .killToStart: kill(.left, .line)
        case .killWord: kill(.left, .blankDelimitedWord)
        case .killWordLeft: kill(.left, .word)
        case .killToEnd: kill(.right, .line)
        case .killWordRight: kill(.right, .word)
        default: return false
        }
        return true
    }

    private mutating func kill(_ direction: TextBuffer.Direction, _ span: TextBuffer.Span) {
        let removed = content.delete(direction, over: span)
        guard !removed.isEmpty else { return }
        let joined = direction == .left ? removed + killed : killed + removed
        killed = isKilling ? joined : removed
    }

    private mutating func show(_ line: String?) {
        if let line { content = TextBuffer(line) }
    }

    /// Applies a key to the search; `false` if the key ends the search and is then applied normally.
    private mutating func applyToSearch(_ key: Key) -> Bool {
        guard var search else { return false }
        switch key {
        case .text(let text), .paste(let text): show(search.extend(text, in: history))
        case .backspace: show(search.shorten(in: history))
        case .search: show(search.findNext(in: history))
        case .escape: content = search.original
        default: break
        }
        switch key {
        case .text, .paste, .backspace, .search: self.search = search
        default: self.search = nil
        }
        return self.search != nil || key == .escape
    }
}
