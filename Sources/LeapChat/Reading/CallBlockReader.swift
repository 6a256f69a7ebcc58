import LeapJSON

/// Reads a block of calls from its first mark to its last, and reports each call as soon as it is certain.
struct CallBlockReader {
    /// The result of reading a byte.
    enum Outcome {
        /// More bytes are needed.
        case needsMore
        /// The block has ended; these bytes after it do not belong to it.
        case ended(rest: [UInt8])
        /// This is not, or no longer, a block of calls: `text` is text, and `rest`, which may contain marks, must be
        /// read again. `isCertain`: only calls begin like that, because of a mark or since one has been reported.
        case failed(text: [UInt8], rest: [UInt8], ToolCallError.Problem, isCertain: Bool)
    }

    private enum State {
        case opening
        case between
        /// In a call, handled by one of the readers.
        case call
        /// After a call, where a mark may follow it.
        case closing
    }

    private let syntax: CallSyntax
    /// Whether the block consists of the arguments of one call, whose name was in a header.
    private let isHeaded: Bool
    private var state: State
    private var object: ObjectCallReader?
    private var named: NamedCallReader?
    private var tagged: TaggedCallReader?
    private var input = CallInput()
    private(set) var out: CallEvents
    private var hasOpened = false
    /// The name of one of Llama's own tools whose arguments are being read.
    private var dotName: String?
    private var isInList = false
    /// The start of the list of calls.
    private var listStart = 0
    private var callsRead = 0
    /// Whether the block has been an empty list so far.
    private var isEmptyList = false

    /// - Parameter isOpen: Whether the opening mark has already been read, or is not needed.
    init(_ syntax: CallSyntax, _ out: CallEvents, isOpen: Bool = false) {
        self.syntax = syntax
        self.out = out
        isHeaded = false
        state = isOpen ? .between : .opening
    }

    /// Begins with the arguments of a call whose name is already known; the block ends with that call.
    init(argumentsOf name: String, id: String?, _ syntax: CallSyntax, _ form: NamedForm, _ out: CallEvents) {
        self.syntax = syntax
        self.out = out
        isHeaded = true
        state = .call
        named = NamedCallReader(argumentsOf: name, id: id, form, &self.out)
    }

    /// Whether all calls that have begun are complete.
    var isWhole: Bool { callsRead > 0 && out.open == nil && isAtRest }

    /// Whether no element of the block is open.
    var isComplete: Bool { isWhole && !isInList }

    private var isAtRest: Bool {
        switch state {
        case .between, .closing: true
        case .opening, .call: false
        }
    }

    mutating func append(_ byte: UInt8) -> Outcome {
        input.append(byte)
        guard input.bytes.count <= ToolCallLimits.bytes, callsRead <= ToolCallLimits.calls else {
            return abandon(.tooLarge(ToolCallLimits.bytes))
        }
        return run()
    }

    /// Ends the stream: anything that is not yet a call becomes text.
    mutating func finish() -> Outcome {
        if case .needsMore = run() {} else { return .needsMore }
        if isEmptyList, input.next == nil { input.forgetRead() } else if !isWhole { return abandon(.cutOff) }
        return end()
    }

    /// Ends the block at a mark that was read as a part of it, whose bytes are its last: all before them becomes text.
    mutating func cut(before mark: Int) -> Outcome {
        fail(.cutOff, at: input.bytes.count - mark)
    }

    /// Returns the events since the last call of this method.
    mutating func takeEvents() -> [AnswerReader.Event] {
        out.flush()
        defer { out.events = [] }
        return out.events
    }
}

// MARK: - Steps

extension CallBlockReader {
    private mutating func run() -> Outcome {
        while true {
            switch step() {
            case .advanced: continue
            case .undecided: return .needsMore
            case .done: return end()
            case .failed(let problem):
                guard callsRead == 0 || out.open != nil else { return end() }
                // Where a header began the block, nothing of it may have been read.
                return fail(problem, at: max(position, isHeaded ? 0 : 1))
            }
        }
    }

    private mutating func step() -> CallProgress {
        switch state {
        case .opening: return open()
        case .between: return between()
        case .closing: return close()
        case .call:
            let progress =
                object?.step(&input, &out) ?? named?.step(&input, &out) ?? tagged?.step(&input, &out)
                ?? .failed(.unexpected(expected: "a call", found: nil))
            return endCall(progress)
        }
    }

    private mutating func open() -> CallProgress {
        switch input.take(anyOf: syntax.opens) {
        case .undecided: return .undecided
        case .yes: hasOpened = true
        case .no: break
        }
        state = .between
        return .advanced
    }

    private mutating func endCall(_ progress: CallProgress) -> CallProgress {
        guard case .done = progress else { return progress }
        callsRead += 1
        input.forgetRead()
        (object, named, tagged) = (nil, nil, nil)
        state = .closing
        return .advanced
    }

    /// Handles text directly after a call.
    private mutating func close() -> CallProgress {
        if case .named(let form) = syntax.form, !form.ends.isEmpty {
            input.skipSpace()
            switch input.take(anyOf: form.ends) {
            case .undecided: return .undecided
            case .yes: input.forgetRead()
            case .no: input.position = 0
            }
        }
        guard !isHeaded else { return .done }
        state = .between
        return .advanced
    }

    /// Between calls: the next call, or the end of the block.
    private mutating func between() -> CallProgress {
        guard dotName == nil else { return dotCall() }
        input.skipSpace(and: callsRead > 0 || isInList ? Self.separators : [])
        guard let byte = input.next else { return .undecided }
        if isInList, byte == UInt8(ascii: "]") {
            input.position += 1
            return endList()
        }
        if hasOpened || callsRead > 0, !isInList {
            switch input.take(anyOf: syntax.closes) {
            case .yes where callsRead > 0 || isEmptyList:
                input.forgetRead()
                return .done
            case .yes: return .failed(.unexpected(expected: "a call", found: syntax.closes.first))
            case .undecided: return .undecided
            case .no where callsRead > 0:
                // Models lose count of brackets.
                switch input.skip(Self.isSurplus, before: syntax.closes) {
                case .yes: return .advanced
                case .undecided: return .undecided
                case .no: break
                }
            case .no: break
            }
        }
        guard callsRead == 0 || !syntax.isSingle else { return .done }
        return begin(byte)
    }

    /// After a list. An empty one after a mark is no call, as `[]` is in Python.
    private mutating func endList() -> CallProgress {
        isInList = false
        isEmptyList = callsRead == 0 && hasOpened
        let isDone = isEmptyList && syntax.closes.isEmpty
        if callsRead > 0 || isDone { input.forgetRead() }
        return isDone ? .done : .advanced
    }

    private static let separators = Array(",;".utf8)

    /// Whether a byte closes something, or is space.
    private static func isSurplus(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") || byte.isASCIISpace
    }

    private mutating func begin(_ byte: UInt8) -> CallProgress {
        switch syntax.form {
        case .object(let form):
            if byte == UInt8(ascii: "["), !isInList, callsRead == 0 {
                (isInList, listStart) = (true, input.position)
                input.position += 1
                return .advanced
            }
            if form.readsDotCall, hasOpened, byte != UInt8(ascii: "{") { return dotCall() }
            object = ObjectCallReader(form)
            state = .call
        case .named(let form):
            guard case .yes = input.isAt(form.begins) else { return noCall(input.isAt(form.begins), form.begins) }
            named = NamedCallReader(form)
            state = .call
        case .tagged(let form):
            guard case .yes = input.isAt(form.callBegins) else {
                return noCall(input.isAt(form.callBegins), form.callBegins)
            }
            tagged = TaggedCallReader(form, closes: syntax.closes)
            state = .call
        case .python, .foreign: return .failed(.unexpected(expected: "a call", found: nil))
        }
        return .advanced
    }

    private func noCall(_ match: CallInput.Match, _ expected: String) -> CallProgress {
        match == .undecided ? .undecided : .failed(.unexpected(expected: expected, found: nil))
    }

    /// Llama's built-in tools use Python syntax, up to the end of the line: `brave_search.call(query="Paris")`.
    private mutating func dotCall() -> CallProgress {
        if dotName == nil {
            let (text, isTooLong) = input.takeName(until: ".call(")
            guard let text else {
                return isTooLong ? .failed(.unexpected(expected: "a call", found: nil)) : .undecided
            }
            guard out.accepts(text, isBare: true) else { return .failed(.unknownFunction(text)) }
            dotName = text
        }
        guard let name = dotName, let arguments = input.takeValue(until: ")", where: { Self.isCall($0) }) else {
            return .undecided
        }
        dotName = nil
        let block = "[f(" + String(decoding: arguments, as: UTF8.self) + ")]"
        guard let arguments = try? PythonCallParser.calls(in: block).first?.arguments else {
            return .failed(.unexpected(expected: "arguments", found: nil))
        }
        let call = ToolCall(name: name, arguments: arguments)
        if let parameter = out.parameterGivenTwice(in: call) { return .failed(.duplicate(parameter)) }
        out.appendWhole(out.named(call))
        return endCall(.done)
    }

    /// Whether the text before a bracket is arguments, and the bracket is not part of a string.
    private static func isCall(_ bytes: ArraySlice<UInt8>) -> Bool {
        // Limits the look-back, so that the total time stays linear.
        guard bytes.count < 4096 else { return true }
        var tracker = StringTracker(.python)
        for byte in bytes { tracker.append(byte) }
        return !tracker.isInString
    }
}

// MARK: - Ends

extension CallBlockReader {
    private mutating func end() -> Outcome {
        out.endBlock()
        // The bytes examined after the last call belong to the following text.
        return .ended(rest: input.bytes)
    }

    /// How much of the block is certainly no mark: a bracket that only looked like a list may begin one.
    private var position: Int { isInList && callsRead == 0 && out.open == nil ? listStart : input.position }

    /// Ends a block whose end is missing. The value of a call may be long, so it is not read again.
    private mutating func abandon(_ problem: ToolCallError.Problem) -> Outcome {
        fail(problem, at: out.open == nil ? max(position, 1) : input.bytes.count)
    }

    /// Makes the block text up to an offset; what follows is read again.
    private mutating func fail(_ problem: ToolCallError.Problem, at end: Int) -> Outcome {
        let hasOpenCall = out.open != nil
        out.abandon()
        out.endBlock()
        let end = max(0, min(end, input.bytes.count))
        return .failed(
            text: Array(input.bytes[..<end]), rest: Array(input.bytes[end...]), problem,
            isCertain: hasOpenCall || hasOpened || !syntax.isBare)
    }
}
