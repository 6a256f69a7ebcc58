/// The content of a string that is described by an automaton.
struct TextContent: StringContent {
    var state = ByteAutomaton.start
    /// The number of scalars so far; ``uncounted`` if no limit depends on it.
    var count = 0

    static let uncounted = -1

    struct Context {
        let automaton: ByteAutomaton
        let string: StringNode
        var escapesSlash = true
    }

    @inline(__always)
    func appending(_ byte: UInt8, _ context: Context) -> TextContent? {
        let next = context.automaton.next(state, byte)
        guard next >= 0 else { return nil }
        guard count >= 0 else { return TextContent(state: next, count: count) }
        let count = UTF8Ranges.isLeading(byte) ? count + 1 : count
        guard Self.isAlive(next, count, context.string) else { return nil }
        // Without a maximum, all counts from the minimum on are equivalent.
        let limit = context.string.maximum == nil ? context.string.minimum : .max
        return TextContent(state: next, count: min(count, limit))
    }

    private static func isAlive(_ state: ByteAutomaton.StateID, _ count: Int, _ string: StringNode) -> Bool {
        if let maximum = string.maximum, count > maximum { return false }
        guard let profile = string.profile else { return true }
        return profile.reachesEnd(
            from: state, minimum: max(string.minimum - count, 0), maximum: string.maximum.map { $0 - count })
    }

    @inline(__always)
    func isComplete(_ context: Context) -> Bool {
        guard context.automaton.accepting[Int(state)] else { return false }
        return count < 0 || count >= context.string.minimum
    }

    func permitsEscape(_ context: Context) -> Bool { true }

    func permitsEscapedSlash(_ context: Context) -> Bool { context.escapesSlash }
}

/// The content of a string that is one of a list of words.
struct WordContent: StringContent {
    /// The words that begin with the string's text so far, and the number of bytes that they share with it.
    var range: Range<Int32>
    var depth: Int32 = 0

    struct Context {
        let words: SortedWords
        let escapesFreely: Bool
        let escapesSlash: Bool
    }

    func appending(_ byte: UInt8, _ context: Context) -> WordContent? {
        let narrowed = context.words.narrow(range, depth: depth, byte: byte)
        return narrowed.isEmpty ? nil : WordContent(range: narrowed, depth: depth + 1)
    }

    func isComplete(_ context: Context) -> Bool { context.words.complete(range, depth: depth) != nil }

    func permitsEscape(_ context: Context) -> Bool {
        context.escapesFreely || context.words.needEscape(range, depth: depth)
    }

    func permitsEscapedSlash(_ context: Context) -> Bool { context.escapesSlash }
}
