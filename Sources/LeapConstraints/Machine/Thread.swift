/// One way in which the text so far fits a grammar: a place inside a text, and the stack below it.
struct Thread: Hashable, Sendable {
    var place: Place
    var parent: Frame?
    /// Whether a value was complete on the way here that has yet to be judged: this may not be permitted.
    var isUnjudged = false

    enum Place: Hashable, Sendable {
        case automaton(Int, ByteAutomaton.StateID)
        case string(NodeID, QuotedText<TextContent>)
        case words(NodeID, QuotedText<WordContent>)
        /// A key of the object whose frame is the parent.
        case key(QuotedText<KeyContent>)
    }

    /// The thread as it is for trying out tokens: what the text of a key is does not matter then.
    var withoutText: Thread {
        guard case .key(var key) = place else { return self }
        key.content.text.value = nil
        return Thread(place: .key(key), parent: parent, isUnjudged: isUnjudged)
    }
}

/// All ways in which the text so far fits a grammar.
struct Configuration: Hashable, Sendable {
    var threads: [Thread] = []
    /// Whether the text may end here.
    var acceptsEnd = false
    /// Whether that is so whatever has yet to be judged.
    var surelyAcceptsEnd = false

    /// More ways than these are dropped. Each of those left still has a valid completion.
    static let threadLimit = 512

    var isDead: Bool { threads.isEmpty && !acceptsEnd }

    /// Whether all of it depends on values that have yet to be judged.
    var isUnjudged: Bool { !surelyAcceptsEnd && threads.allSatisfy(\.isUnjudged) }

    mutating func add(_ thread: Thread) {
        guard threads.count < Self.threadLimit, !threads.contains(thread) else { return }
        threads.append(thread)
    }
}
