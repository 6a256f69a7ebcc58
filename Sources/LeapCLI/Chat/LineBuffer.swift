/// The line that a person is editing, and the lines before it.
struct LineBuffer {
    private(set) var characters: [Character] = []
    /// Characters before the cursor.
    private(set) var cursor = 0

    private var history: [String] = []
    /// The line of the history that is shown; one past the last is the line being typed.
    private var shown = 0
    private var draft: [Character] = []

    /// The line as text.
    var text: String { String(characters) }

    /// Remembers a finished line and starts an empty one.
    mutating func finish() -> String {
        let line = text
        if !line.isEmpty, history.last != line { history.append(line) }
        characters = []
        cursor = 0
        shown = history.count
        return line
    }

    /// Applies an editing key; other keys do nothing.
    mutating func apply(_ key: Key) {
        switch key {
        case .text(let character): insert(character)
        case .backspace: remove(cursor - 1..<cursor)
        case .delete: remove(cursor..<cursor + 1)
        case .left: cursor = max(0, cursor - 1)
        case .right: cursor = min(characters.count, cursor + 1)
        case .home: cursor = 0
        case .end: cursor = characters.count
        case .wordLeft: cursor = wordStart
        case .wordRight: cursor = wordEnd
        case .killToEnd: remove(cursor..<characters.count)
        case .killToStart: remove(0..<cursor)
        case .killWord: remove(wordStart..<cursor)
        case .previous: show(shown - 1)
        case .next: show(shown + 1)
        case .enter, .interrupt, .endOfInput, .clearScreen: break
        }
    }

    private mutating func insert(_ character: Character) {
        characters.insert(character, at: cursor)
        cursor += 1
    }

    private mutating func remove(_ range: Range<Int>) {
        let range = range.clamped(to: 0..<characters.count)
        characters.removeSubrange(range)
        cursor = min(range.lowerBound, characters.count)
    }

    /// Where the word before the cursor begins.
    private var wordStart: Int {
        var index = cursor
        while index > 0, characters[index - 1].isWhitespace { index -= 1 }
        while index > 0, !characters[index - 1].isWhitespace { index -= 1 }
        return index
    }

    /// Where the word after the cursor ends.
    private var wordEnd: Int {
        var index = cursor
        while index < characters.count, characters[index].isWhitespace { index += 1 }
        while index < characters.count, !characters[index].isWhitespace { index += 1 }
        return index
    }

    private mutating func show(_ line: Int) {
        guard (0...history.count).contains(line), line != shown else { return }
        if shown == history.count { draft = characters }
        shown = line
        characters = line == history.count ? draft : Array(history[line])
        cursor = characters.count
    }
}
