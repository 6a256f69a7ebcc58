/// One way to parse the text so far: a position inside a text, and the stack below it.
struct Thread: Hashable, Sendable {
    var place: Place
    var parent: Frame?
    /// Whether the evaluation of a value that was completed on this path is still pending: the path may not be
    /// permitted.
    var isUnjudged = false

    enum Place: Hashable, Sendable {
        case automaton(Int, ByteAutomaton.StateID)
        case string(NodeID, QuotedText<TextContent>)
        case words(NodeID, QuotedText<WordContent>)
        /// A key of the object whose frame is the parent.
        case key(QuotedText<KeyContent>)
    }

    /// The thread for trying out tokens, for which the text of a key is irrelevant.
    var withoutText: Thread {
        guard case .key(var key) = place else { return self }
        key.content.text.value = nil
        return Thread(place: .key(key), parent: parent, isUnjudged: isUnjudged)
    }
}

/// All ways to parse the text so far.
struct Configuration: Hashable, Sendable {
    var threads: [Thread] = []
    /// Whether the text may end here.
    var acceptsEnd = false
    /// Whether it may end regardless of pending evaluations.
    var surelyAcceptsEnd = false

    /// Excess threads are dropped. Each of those left still has a valid completion.
    static let threadLimit = 512

    var isDead: Bool { threads.isEmpty && !acceptsEnd }

    /// Whether everything depends on pending evaluations.
    var isUnjudged: Bool { !surelyAcceptsEnd && threads.allSatisfy(\.isUnjudged) }
}
