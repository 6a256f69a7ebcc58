/// Parses a stream of generated text into the answer, thoughts and function calls.
///
/// The result does not depend on how the stream is split, and reported events are never revoked. Text that only looks
/// like a call, because the function is unknown or the format does not match, is reported as text. Each byte is
/// examined a bounded number of times.
public struct AnswerReader: Sendable {
    /// An event in a stream.
    public enum Event: Sendable, Hashable {
        /// A piece of the answer's text.
        case text(String)
        /// A thought begins.
        case reasoningBegins
        /// A piece of a thought's text.
        case reasoning(String)
        /// A thought ends.
        case reasoningEnds
        /// A call begins; the first one of the answer has the index 0.
        case callBegins(index: Int, id: String?, name: String)
        /// The next part of a call's arguments; together, the parts form a JSON object.
        case callArguments(index: Int, String)
        /// The complete calls of a block, whose parts have been reported before.
        case calls([ToolCall])
        /// A block that began like calls cannot be parsed and is reported as text.
        case unreadable(ToolCallError)
    }

    /// The state of a stream.
    public enum Stage: Sendable, Hashable {
        case text, thought, call
    }

    enum State {
        case text, thought
        /// In the header of a message.
        case header
        /// In text that may be calls, handled by one of the readers.
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
    /// The purpose of the current message, if the answer consists of messages.
    var purpose: Channels.Purpose?
    /// The header being read, including the text that begins it.
    var header: [UInt8] = []
    /// The number of its bytes that are part of the prompt.
    var promptedHeader = 0
    var calls: CallBlockReader?
    var block: BlockReader?
    var ignoresStrings = false
    var callCount = 0
    var isInThought = false
    /// The tags around the current text, if they are tags that count only after thoughts.
    var tags: Dialect.Enclosure?
    var events: [Event] = []

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - dialect: The dialect of the model.
    ///   - functions: The functions that can be called; if `nil`, everything in the form of a call is one.
    ///   - readsUnknown: Whether calls of unknown functions count as calls if they have marks.
    ///   - keepsLineBreaks: Whether to report line breaks around thoughts and calls.
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

    /// The state of the stream.
    public var stage: Stage {
        switch state {
        case .text, .header: .text
        case .thought: .thought
        case .calls: isInThought ? .thought : .call
        case .block: .call
        }
    }

    /// Whether a call is incomplete.
    public var isInOpenCall: Bool { calls.map { !$0.isComplete } ?? (block != nil) }

    /// Whether the text has not started yet, so that a thought or a call may still come first.
    public var isAtStart: Bool { stage == .text && gate.isAtStart }

    /// Starts inside a thought that the prompt has opened.
    public mutating func beginThought() -> [Event] {
        enterThought()
        return takeEvents()
    }

    /// Starts inside a message header that the prompt has begun; the part in the prompt is never reported as text.
    public mutating func beginHeader(_ text: String) {
        header = Array(text.utf8)
        promptedHeader = header.count
        state = .header
    }

    /// Parses the next piece of the stream and returns the events that are certain now.
    ///
    /// - Parameters:
    ///   - text: The piece.
    ///   - endsWithToken: Whether the piece ends with a mark that is a single token. Such a mark always ends the calls that
    ///     are open, because a model does not write it inside a string.
    public mutating func append(_ text: String, endsWithToken: Bool = false) -> [Event] {
        append(utf8: Array(text.utf8), endsWithToken: endsWithToken)
    }

    /// Parses the next piece, given as UTF-8. A character's bytes may be spread over several pieces.
    public mutating func append(utf8 bytes: [UInt8], endsWithToken: Bool = false) -> [Event] {
        let mark =
            endsWithToken ? dialect.tokensThatEndCalls.first { bytes.reversed().starts(with: $0.utf8.reversed()) } : nil
        for byte in bytes.dropLast(mark?.utf8.count ?? 0) { take(byte) }
        if let mark { take(token: mark) }
        return takeEvents()
    }

    /// Takes a mark that is a control token and ends calls.
    private mutating func take(token mark: String) {
        let endsBlock = dialect.calls?.closes.contains(mark) ?? false
        switch state {
        case .block where mark == dialect.callEnd:
            block?.finishMark()
            endBlock(isWhole: true)
        // A closing token without an opening one is ignored.
        case .text where endsBlock: break
        case .calls:
            for byte in mark.utf8 { take(byte) }
            // It was read as a part of a string, a value or a name.
            if state == .calls, let outcome = calls?.cut(before: mark.utf8.count) { settle(outcome) }
        case .text, .thought, .header, .block: for byte in mark.utf8 { take(byte) }
        }
    }

    /// Ends the stream and returns the remaining events.
    public mutating func finish() -> [Event] {
        finishState()
        gate.finish()
        return takeEvents()
    }

    /// Bytes that the finder has released and that are not yet processed.
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

    /// Whether an answer begins like one that consists only of calls.
    private func isBareStart(_ byte: UInt8) -> Bool {
        guard dialect.calls?.isBare ?? false, finder.held.isEmpty, gate.isAtStart else { return false }
        return byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[")
    }

    /// Passes bytes that are not part of a mark to the current element.
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
            if dialect.thinksAfterText || gate.isAtStart { enterThought() } else { gate.append(mark) }
        } else if dialect.thoughts.contains(where: { $0.end == text }), !dialect.noise.contains(text) {
            endUnopenedThought(mark)
        }
        // The remaining marks surround the answer, or are ignored.
    }
}

// MARK: - Events

extension AnswerReader {
    /// Turns the text released by the gates into events.
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
