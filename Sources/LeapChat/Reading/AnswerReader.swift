/// Takes a stream of generated text apart: the answer, the thoughts in it, and calls of functions.
///
/// However the stream is cut into pieces, the same comes out, and nothing that was told is ever taken back. What only looks
/// like a call, because the function is unknown or it has not the format's shape, is text. Every byte is looked at a bounded
/// number of times.
public struct AnswerReader: Sendable {
    /// What a stream consists of.
    public enum Event: Sendable, Hashable {
        /// Text of the answer.
        case text(String)
        /// A thought begins.
        case reasoningBegins
        /// Text of a thought.
        case reasoning(String)
        /// A thought ends.
        case reasoningEnds
        /// A call begins: the first of the answer has the index 0.
        case callBegins(index: Int, id: String?, name: String)
        /// The next part of a call's arguments: together they are its JSON.
        case callArguments(index: Int, String)
        /// Complete calls of one block, whose parts were reported before.
        case calls([ToolCall])
        /// A block began like calls but cannot be parsed; it is text.
        case unreadable(ToolCallError)
    }

    /// Where a stream stands.
    public enum Stage: Sendable, Hashable {
        case text, thought, call
    }

    enum State {
        case text, thought
        /// In the header of a message.
        case header
        /// In what may be calls, which one of the readers reads.
        case calls, block
    }

    let dialect: Dialect
    let functions: [DeclaredFunction]?
    let readsUnknown: Bool

    let textFinder: MarkFinder
    let thoughtFinder: MarkFinder
    var finder: MarkFinder
    var state = State.text
    var gate: TextGate
    var thought: TextGate
    let newThought: TextGate
    /// What a message of the answer is for, where it consists of messages.
    var purpose: Channels.Purpose?
    /// The header that is being read, from the text that begins it.
    var header: [UInt8] = []
    /// How many bytes of it the prompt has written.
    var promptedHeader = 0
    var calls: CallBlockReader?
    var block: BlockReader?
    var ignoresStrings = false
    var callCount = 0
    var isInThought = false
    /// The tags around the text that is being read, of those that surround answers only after thoughts.
    var tags: Dialect.Enclosure?
    var events: [Event] = []

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - dialect: What the model writes.
    ///   - functions: The functions that may be called; with nil, everything with the shape of a call is one.
    ///   - readsUnknown: Whether calls of functions that were not offered count as calls, if they have marks.
    ///   - keepsLineBreaks: Whether line breaks around thoughts and calls are reported as well.
    public init(
        _ dialect: Dialect, functions: [DeclaredFunction]? = nil, readsUnknown: Bool = false,
        keepsLineBreaks: Bool = false
    ) {
        self.dialect = dialect
        self.functions = functions
        self.readsUnknown = readsUnknown
        textFinder = MarkFinder(dialect.textMarks)
        thoughtFinder = MarkFinder(dialect.thoughtMarks)
        finder = textFinder
        let ownsLineBreaks = dialect.calls?.ownsLineBreaks ?? false
        gate = TextGate(isOpen: keepsLineBreaks, ownsLineBreaks: ownsLineBreaks)
        newThought = TextGate(isOpen: keepsLineBreaks, ownsLineBreaks: ownsLineBreaks)
        thought = newThought
    }

    /// Where the stream stands.
    public var stage: Stage {
        switch state {
        case .text, .header: .text
        case .thought: .thought
        case .calls: isInThought ? .thought : .call
        case .block: .call
        }
    }

    /// Whether there is an unfinished call.
    public var isInOpenCall: Bool { calls.map { !$0.isComplete } ?? (block != nil) }

    /// Whether something may come that is not text, or text before it has come.
    public var isAtStart: Bool { stage == .text && gate.isAtStart }

    /// Begins a thought that the prompt has opened.
    public mutating func beginThought() -> [Event] {
        enterThought()
        return takeEvents()
    }

    /// Begins in the header of a message that the prompt has begun; what the prompt wrote of it is never text of the answer.
    public mutating func beginHeader(_ text: String) {
        header = Array(text.utf8)
        promptedHeader = header.count
        state = .header
    }

    /// Takes the next piece of the stream and returns what is certain now.
    ///
    /// - Parameters:
    ///   - text: The piece.
    ///   - endsWithToken: Whether the piece ends with a mark that is a token of its own. Such a mark ends a block of code
    ///     wherever it stands: a model does not write it inside a string.
    public mutating func append(_ text: String, endsWithToken: Bool = false) -> [Event] {
        append(utf8: Array(text.utf8), endsWithToken: endsWithToken)
    }

    /// The same for bytes; a character's bytes may be spread over several pieces.
    public mutating func append(utf8 bytes: [UInt8], endsWithToken: Bool = false) -> [Event] {
        let end = Array((dialect.callEnd ?? "").utf8)
        guard endsWithToken, !end.isEmpty, bytes.suffix(end.count) == end[...] else {
            for byte in bytes { take(byte) }
            return takeEvents()
        }
        for byte in bytes.dropLast(end.count) { take(byte) }
        switch state {
        case .block:
            block?.finishMark()
            endBlock(isWhole: true)
        // A token that ends what never began means nothing.
        case .text: break
        case .thought, .header, .calls: for byte in end { take(byte) }
        }
        return takeEvents()
    }

    /// Ends the stream and returns what was held back.
    public mutating func finish() -> [Event] {
        finishState()
        gate.finish()
        return takeEvents()
    }

    /// What the finder released and was not taken yet.
    var pending: [UInt8] = []
}

// MARK: - Bytes

extension AnswerReader {
    mutating func take(_ byte: UInt8) {
        switch state {
        case .text where isBareStart(byte):
            calls = dialect.calls.map { CallBlockReader($0, callEvents, isOpen: true) }
            state = .calls
            take(byte)
        case .text, .thought:
            let found = finder.append(byte, into: &pending)
            release()
            if let found { mark(found) }
        case .header: takeHeader(byte)
        case .calls: if let outcome = calls?.append(byte) { settle(outcome) }
        case .block:
            let isWhole = block?.append(byte) ?? true
            emit(block?.takeEvents() ?? [])
            if isWhole { endBlock(isWhole: true) }
        }
    }

    /// Whether an answer begins as one does that is nothing but calls.
    private func isBareStart(_ byte: UInt8) -> Bool {
        guard dialect.calls?.isBare ?? false, finder.held.isEmpty, gate.isAtStart else { return false }
        return byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[")
    }

    /// Puts what is no mark where it belongs.
    mutating func release() {
        guard !pending.isEmpty else { return }
        if isInThought { thought.append(pending) } else { gate.append(pending) }
        pending = []
    }

    mutating func mark(_ found: MarkFinder.Found) {
        act(on: String(decoding: found.mark, as: UTF8.self), found.mark)
        for byte in found.rest { take(byte) }
    }

    mutating func act(on text: String, _ mark: [UInt8]) {
        if let channels = dialect.channels, channels.begins.contains(text) || channels.ends.contains(text) {
            leaveThought()
            purpose = nil
            if channels.begins.contains(text) {
                header = mark
                promptedHeader = 0
                state = .header
            }
            return
        }
        if let calls = dialect.calls, calls.starts.contains(text) {
            guard dialect.channels == nil || purpose == .calls else { return gate.append(mark) }
            return beginCalls(calls, mark)
        }
        if let tags = dialect.contents.first(where: { $0.followsThought && $0.texts.contains(text) }) {
            return surround(tags, text, mark)
        }
        if isInThought {
            leaveThought()
        } else if dialect.thoughts.contains(where: { $0.start == text }) {
            enterThought()
        } else if dialect.thoughts.contains(where: { $0.end == text }), !dialect.noise.contains(text) {
            endUnopenedThought(mark)
        }
        // What is left surrounds the answer, or means nothing.
    }
}

// MARK: - Events

extension AnswerReader {
    /// Makes events of what the gates let through.
    mutating func flush() {
        let (words, thoughts) = (gate.take(), thought.take())
        if !words.isEmpty { events.append(.text(String(decoding: words, as: UTF8.self))) }
        if !thoughts.isEmpty { events.append(.reasoning(String(decoding: thoughts, as: UTF8.self))) }
    }

    mutating func takeEvents() -> [Event] {
        flush()
        defer { events = [] }
        return events
    }
}
