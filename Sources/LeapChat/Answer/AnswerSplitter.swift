/// Takes a stream of generated text apart: the answer, the thoughts in it, and blocks of function calls.
///
/// However the stream is cut into pieces, the same comes out, and nothing that was returned is ever taken back. Of text
/// and thoughts only what may be the beginning of a mark is held until the next piece; a block comes as a whole.
///
/// A mark counts where it can: inside a thought only the mark that ends it, inside a block only the one that ends that,
/// and not inside a string of the block's code (``ToolCallMarks/Strings``).
public struct AnswerSplitter: Sendable {
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
        /// A block of calls: what stands between the marks.
        case calls(String)
        /// A block that the end of the answer cut off: what stands behind its mark.
        case cutOffCalls(String)
    }

    /// The mark that begins a thought.
    public static let reasoningStart = "<think>"
    /// The mark that ends a thought.
    public static let reasoningEnd = "</think>"

    private enum State: Sendable {
        case text, reasoning, block
    }

    private let marks: ToolCallMarks?
    private let start: [UInt8]
    private let textMatcher: MarkMatcher
    private let reasoningMatcher: MarkMatcher
    private let blockMatcher: MarkMatcher

    private var state = State.text
    private var matcher: MarkMatcher
    private var bareStart: BareStartMatcher
    private var block: CallBlock
    /// What was released since the last event.
    private var pending: [UInt8] = []
    private var events: [Event] = []

    /// Creates a splitter.
    ///
    /// - Parameters:
    ///   - marks: What surrounds calls; nil if calls are text.
    ///   - startsInReasoning: Whether the prompt has already begun a thought.
    public init(marks: ToolCallMarks? = nil, startsInReasoning: Bool = false) {
        self.marks = marks
        start = Array((marks?.start ?? "").utf8)
        textMatcher = MarkMatcher([Self.reasoningStart, marks?.start ?? ""])
        reasoningMatcher = MarkMatcher([Self.reasoningEnd])
        blockMatcher = MarkMatcher([marks?.end ?? ""])
        matcher = textMatcher
        bareStart = BareStartMatcher(marks?.bareStart)
        block = CallBlock(marks?.strings ?? .unknown)
        if startsInReasoning { enter(.reasoning) }
    }

    /// Takes the next piece of the stream and returns what is certain now.
    ///
    /// - Parameters:
    ///   - text: The piece.
    ///   - endsWithToken: Whether the piece ends with a mark that is a token of its own. Such a mark ends a block wherever
    ///     it stands: a model does not write it inside a string.
    public mutating func append(_ text: String, endsWithToken: Bool = false) -> [Event] {
        let bytes = Array(text.utf8)
        let end = Array((marks?.end ?? "").utf8)
        guard endsWithToken, !end.isEmpty, bytes.suffix(end.count) == end[...] else {
            for byte in bytes { append(byte) }
            return takeEvents()
        }
        for byte in bytes.dropLast(end.count) { append(byte) }
        switch state {
        case .block: endBlock()
        case .reasoning: for byte in end { append(byte) }
        // A token that ends what never began means nothing.
        case .text: break
        }
        return takeEvents()
    }

    /// Ends the stream and returns what was held back.
    public mutating func finish() -> [Event] {
        for byte in bareStart.finish() { scan(byte) }
        matcher.finish(into: &pending)
        if state == .block { finishBlock() }
        return takeEvents()
    }
}

// MARK: - Bytes

extension AnswerSplitter {
    private mutating func append(_ byte: UInt8) {
        guard state == .text, matcher.held.isEmpty else { return scan(byte) }
        switch bareStart.append(byte) {
        case .inert: scan(byte)
        case .held: break
        case .released(let bytes): for byte in bytes { scan(byte) }
        case .found(let bytes):
            enter(.block)
            block.append(bytes)
        }
    }

    private mutating func scan(_ byte: UInt8) {
        let before = pending.count
        let mark = matcher.append(byte, into: &pending)
        switch state {
        case .text:
            bareStart.textFollows(pending[before...])
            if let mark { enter(mark == start ? .block : .reasoning) }
        case .reasoning:
            if mark != nil { enter(.text) }
        case .block:
            block.append(pending)
            pending = []
            guard let mark else { return }
            if block.takesMark(mark) { endBlock() }
        }
    }
}

// MARK: - Events

extension AnswerSplitter {
    private mutating func enter(_ next: State) {
        flush()
        if state == .reasoning { events.append(.reasoningEnds) }
        if next == .reasoning { events.append(.reasoningBegins) }
        state = next
        switch next {
        case .text: matcher = textMatcher
        case .reasoning: matcher = reasoningMatcher
        case .block: matcher = blockMatcher
        }
    }

    private mutating func flush() {
        guard !pending.isEmpty else { return }
        let text = String(decoding: pending, as: UTF8.self)
        events.append(state == .reasoning ? .reasoning(text) : .text(text))
        pending = []
    }

    private mutating func endBlock() {
        matcher.finish(into: &pending)
        block.append(pending)
        pending = []
        events.append(.calls(block.takeText()))
        enter(.text)
    }

    private mutating func finishBlock() {
        block.append(pending)
        pending = []
        if marks?.end == nil {
            events.append(.calls(block.takeText()))
        } else if let (content, rest) = block.cutAtQuotedMark() {
            // A string without an end hid the mark. What follows it is taken apart after all, without regard to strings.
            events.append(.calls(content))
            var marks = marks
            marks?.strings = .unknown
            var splitter = AnswerSplitter(marks: marks)
            events += splitter.append(rest) + splitter.finish()
        } else {
            events.append(.cutOffCalls(block.takeText()))
        }
    }

    private mutating func takeEvents() -> [Event] {
        if state != .block { flush() }
        defer { events = [] }
        return events
    }
}
