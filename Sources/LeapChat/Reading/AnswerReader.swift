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
        /// Calls that are whole, of which was told before: those of one block.
        case calls([ToolCall])
        /// What began like calls and cannot be read; it is text.
        case unreadable(ToolCallError)
    }

    /// Where a stream stands.
    public enum Stage: Sendable, Hashable {
        case text, thought, call
    }

    private enum State {
        case text, thought
        /// In the header of a message.
        case header
        /// In what may be calls, which one of the readers reads.
        case calls, block
    }

    private let dialect: Dialect
    private let functions: [DeclaredFunction]?
    private let readsUnknown: Bool

    private let textFinder: MarkFinder
    private let thoughtFinder: MarkFinder
    private var finder: MarkFinder
    private var state = State.text
    private var gate: TextGate
    private var thought: TextGate
    private let newThought: TextGate
    /// What a message of the answer is for, where it consists of messages.
    private var purpose: Channels.Purpose?
    /// The header that is being read, from the text that begins it.
    private var header: [UInt8] = []
    /// How many bytes of it the prompt has written.
    private var promptedHeader = 0
    private var calls: CallBlockReader?
    private var block: BlockReader?
    private var ignoresStrings = false
    private var callCount = 0
    private var isInThought = false
    private var events: [Event] = []

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - dialect: What the model writes.
    ///   - functions: Those that may be called; with nil every call is one that has the format's shape.
    ///   - readsUnknown: Whether a call between marks is one although nobody offered its function.
    ///   - keepsLineBreaks: Whether line breaks around thoughts and calls are told as well.
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

    /// Whether a call has begun that is not whole.
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

    /// The same of bytes, of which those of a character may come in several pieces.
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

    /// What the finder released and nobody took.
    private var pending: [UInt8] = []
}

// MARK: - Bytes

extension AnswerReader {
    private mutating func take(_ byte: UInt8) {
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
            tell(block?.takeEvents() ?? [])
            if isWhole { endBlock(isWhole: true) }
        }
    }

    /// Whether an answer begins as one does that is nothing but calls.
    private func isBareStart(_ byte: UInt8) -> Bool {
        guard dialect.calls?.isBare ?? false, finder.held.isEmpty, gate.isAtStart else { return false }
        return byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[")
    }

    /// Puts what is no mark where it belongs.
    private mutating func release() {
        guard !pending.isEmpty else { return }
        if isInThought { thought.append(pending) } else { gate.append(pending) }
        pending = []
    }

    private mutating func mark(_ found: MarkFinder.Found) {
        act(on: String(decoding: found.mark, as: UTF8.self), found.mark)
        for byte in found.rest { take(byte) }
    }

    private mutating func act(on text: String, _ mark: [UInt8]) {
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

// MARK: - Thoughts

extension AnswerReader {
    private mutating func enterThought() {
        guard !isInThought else { return }
        gate.thoughtBegins()
        flush()
        isInThought = true
        thought = newThought
        thought.beginThought()
        finder = thoughtFinder
        state = .thought
        events.append(.reasoningBegins)
    }

    /// At the beginning of an answer, what ends a thought ends one that is not there.
    private mutating func endUnopenedThought(_ mark: [UInt8]) {
        guard gate.isAtStart else { return gate.append(mark) }
        gate.thoughtBegins()
        gate.thoughtEnded()
    }

    private mutating func leaveThought() {
        state = .text
        guard isInThought else { return }
        thought.endThought()
        flush()
        isInThought = false
        gate.thoughtEnded()
        finder = textFinder
        events.append(.reasoningEnds)
    }
}

// MARK: - Messages

extension AnswerReader {
    private static let headerLimit = 512

    private mutating func takeHeader(_ byte: UInt8) {
        guard let end = dialect.channels?.headerEnd.utf8 else { return }
        header.append(byte)
        if header.suffix(end.count).elementsEqual(end) {
            endHeader(String(decoding: header.dropLast(end.count), as: UTF8.self))
        } else if header.count > Self.headerLimit {
            abandonHeader()
        }
    }

    private mutating func endHeader(_ text: String) {
        guard let purpose = dialect.channels?.purpose(text) else { return abandonHeader() }
        state = .text
        self.purpose = purpose
        switch purpose {
        case .thought: enterThought()
        case .answer, .calls: gate.thoughtEnded()
        case .arguments(let name):
            guard let calls = dialect.calls, case .named(let form) = calls.form, callEvents.accepts(name) else {
                return abandonHeader()
            }
            self.calls = CallBlockReader(argumentsOf: name, id: nil, calls, form, callEvents)
            state = .calls
        }
    }

    /// What looked like a header is text.
    private mutating func abandonHeader() {
        state = .text
        purpose = .answer
        gate.append(Array(header.dropFirst(promptedHeader)))
        header = []
        promptedHeader = 0
    }
}

// MARK: - Calls

extension AnswerReader {
    private var callEvents: CallEvents {
        CallEvents(functions: functions, readsUnknown: readsUnknown, count: callCount)
    }

    private mutating func beginCalls(_ syntax: CallSyntax, _ mark: [UInt8]) {
        block = BlockReader(syntax, callEvents, mark: mark, ignoresStrings: ignoresStrings)
        guard block == nil else {
            state = .block
            gate.callsBegin()
            return flush()
        }
        calls = CallBlockReader(syntax, callEvents)
        state = .calls
        for byte in mark { take(byte) }
    }

    /// Takes what became of a byte of a block.
    private mutating func settle(_ outcome: CallBlockReader.Outcome) {
        let told = calls?.takeEvents() ?? []
        if !told.isEmpty {
            leaveThought()
            gate.callsBegin()
            flush()
            tell(told)
            state = .calls
        }
        switch outcome {
        case .goesOn: return
        case .ended(let rest):
            calls = nil
            state = .text
            gate.callsEnded()
            for byte in rest { take(byte) }
        case .failed(let text, let rest, let problem):
            calls = nil
            state = isInThought ? .thought : .text
            if isInThought { thought.append(text) } else { gate.append(text) }
            report(problem, text)
            for byte in rest { take(byte) }
        }
    }

    /// Reports what is no call but may have been meant as one.
    private mutating func report(_ problem: ToolCallError.Problem, _ text: [UInt8]) {
        if case .unknownFunction = problem { return }
        guard !isInThought, !(dialect.calls?.isBare ?? false) else { return }
        flush()
        events.append(.unreadable(ToolCallError(problem, at: text.count, in: text)))
    }

    private mutating func tell(_ told: [Event]) {
        for case .callBegins(let index, _, _) in told { callCount = max(callCount, index + 1) }
        for event in told {
            if case .callArguments(let index, let text) = event,
                case .callArguments(let last, let before)? = events.last, last == index
            {
                events[events.count - 1] = .callArguments(index: index, before + text)
            } else {
                events.append(event)
            }
        }
    }

    private mutating func endBlock(isWhole: Bool) {
        guard let ending = block?.end(isWhole: isWhole) else { return }
        block = nil
        // In what a string without an end hid, strings are no help.
        if !ending.rest.isEmpty { ignoresStrings = true }
        tell(ending.events)
        state = .text
        gate.callsEnded()
        gate.append(ending.text)
        if let error = ending.error {
            flush()
            events.append(.unreadable(error))
        }
        for byte in ending.rest { take(byte) }
    }

    /// Ends what is being read; what is read again for it may begin something that does not end either.
    private mutating func finishState() {
        while true {
            switch state {
            case .header: abandonHeader()
            case .calls: if let outcome = calls?.finish() { settle(outcome) }
            case .block: endBlock(isWhole: false)
            case .text, .thought:
                while let found = finder.finish(into: &pending) { mark(found) }
                release()
                if state == .text || state == .thought { return }
            }
        }
    }
}

// MARK: - Events

extension AnswerReader {
    /// Makes events of what the gates let through.
    private mutating func flush() {
        let (words, thoughts) = (gate.take(), thought.take())
        if !words.isEmpty { events.append(.text(String(decoding: words, as: UTF8.self))) }
        if !thoughts.isEmpty { events.append(.reasoning(String(decoding: thoughts, as: UTF8.self))) }
    }

    private mutating func takeEvents() -> [Event] {
        flush()
        defer { events = [] }
        return events
    }
}
