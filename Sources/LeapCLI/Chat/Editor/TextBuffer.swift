/// A text of one or more lines, and a cursor between two of its user-perceived characters: a letter with its accents is
/// one, and so is an emoji of several code points.
///
/// The text before the cursor and the text after it are two stacks whose tops meet at the cursor, so that the cost of a
/// key does not depend on the length of the text.
struct TextBuffer: Equatable {
    private(set) var before: [Character] = []
    /// The text after the cursor, in reverse.
    private var after: [Character] = []

    /// Makes a text with the cursor at its end.
    init(_ text: String = "") { insert(text) }

    /// The text after the cursor.
    var rest: ReversedCollection<[Character]> { after.reversed() }

    /// The whole text.
    var text: String { String(before) + String(rest) }

    var isEmpty: Bool { before.isEmpty && after.isEmpty }

    /// A direction from the cursor.
    enum Direction {
        case left, right
    }

    /// A span of text next to the cursor.
    enum Span {
        case character
        /// Letters and digits, with the characters between them and the cursor.
        case word
        /// Non-blank characters, with the blanks between them and the cursor.
        case blankDelimitedWord
        /// Everything up to the beginning or end of the line.
        case line
        case everything
    }
}

// MARK: - Moving

extension TextBuffer {
    mutating func move(_ direction: Direction, over span: Span) {
        move(direction, by: length(of: span, direction))
    }

    private mutating func move(_ direction: Direction, by count: Int) {
        switch direction {
        case .left: Self.move(count, from: &before, to: &after)
        case .right: Self.move(count, from: &after, to: &before)
        }
    }

    /// Moves one line up, keeping the column if that line is long enough; `false` on the first line.
    mutating func moveUp() -> Bool {
        let column = length(of: .line, .left)
        guard column < before.count else { return false }
        move(.left, by: column + 1)
        move(.left, by: max(0, length(of: .line, .left) - column))
        return true
    }

    /// Moves one line down, keeping the column if that line is long enough; `false` on the last line.
    mutating func moveDown() -> Bool {
        let column = length(of: .line, .left)
        let rest = length(of: .line, .right)
        guard rest < after.count else { return false }
        move(.right, by: rest + 1)
        move(.right, by: min(column, length(of: .line, .right)))
        return true
    }

    private static func move(_ count: Int, from source: inout [Character], to destination: inout [Character]) {
        destination.append(contentsOf: source.suffix(count).reversed())
        source.removeLast(min(count, source.count))
    }

    private func length(of span: Span, _ direction: Direction) -> Int {
        // In both stacks, the character nearest to the cursor is the last.
        let side = (direction == .left ? before : after).reversed()
        return switch span {
        case .character: min(1, side.count)
        case .word: Self.length(in: side) { $0.isLetter || $0.isNumber }
        case .blankDelimitedWord: Self.length(in: side) { !$0.isWhitespace }
        case .line: side.prefix { $0 != "\n" }.count
        case .everything: side.count
        }
    }

    /// The length of a word whose characters satisfy `isInWord`.
    private static func length(
        in side: ReversedCollection<[Character]>, _ isInWord: (Character) -> Bool
    ) -> Int {
        let gap = side.prefix { !isInWord($0) }.count
        return gap + side.dropFirst(gap).prefix(while: isInWord).count
    }
}

// MARK: - Changing

extension TextBuffer {
    /// Inserts a text before the cursor. Every line break becomes a line feed.
    mutating func insert(_ text: String) {
        join(String(text.map { $0 == "\r" || $0 == "\r\n" ? "\n" : $0 }))
    }

    /// Removes and returns the text next to the cursor; if the line is empty in that direction, the line break.
    @discardableResult
    mutating func delete(_ direction: Direction, over span: Span) -> String {
        let count = span == .line ? max(1, length(of: span, direction)) : length(of: span, direction)
        var removed: [Character] = []
        switch direction {
        case .left: Self.move(count, from: &before, to: &removed)
        case .right: Self.move(count, from: &after, to: &removed)
        }
        join("")
        return String(direction == .left ? removed.reversed() : removed)
    }

    /// Swaps the characters on both sides of the cursor or, at a line's end, the two before it.
    mutating func transpose() {
        if length(of: .line, .right) == 0 { move(.left, over: .character) }
        guard length(of: .line, .left) > 0, length(of: .line, .right) > 0 else { return }
        guard let left = before.popLast(), let right = after.popLast() else { return }
        join(String(right) + String(left))
    }

    /// Inserts a text at the cursor. Neighbouring characters may combine with it: an accent with a letter; a run of
    /// regional indicators is paired anew up to its end.
    private mutating func join(_ text: String) {
        let characters = Array(String(before.suffix(1)) + text)
        before.removeLast(min(1, before.count))
        before += characters
        let position = before.count
        while let last = before.last, let next = after.last {
            let pair = Array(String(last) + String(next))
            guard pair != [last, next] else { break }
            before.removeLast()
            after.removeLast()
            before += pair
        }
        Self.move(max(0, before.count - position), from: &before, to: &after)
    }
}
