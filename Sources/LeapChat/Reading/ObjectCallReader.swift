import LeapJSON
import OrderedCollections

/// The result of a step.
enum CallProgress {
    /// More bytes are needed.
    case undecided
    /// The call is complete.
    case done
    /// This is not a call.
    case failed(ToolCallError.Problem)
    /// Continue with the next step.
    case advanced
}

/// Reads a call that is a JSON object, key by key.
struct ObjectCallReader {
    private enum State {
        case start, firstKey, key, colon
        case value(key: String)
        /// In the value of an irrelevant key.
        case skipping
        case arguments
        case separator
    }

    private let form: ObjectForm
    private var state = State.start
    /// The reader of the current value.
    private var reader = JSONValueReader()
    /// The objects around the current one: OpenAI wraps calls.
    private var wrappers = 0
    private var name: String?
    private var id: String?
    private var arguments: OrderedDictionary<String, JSONValue>?
    /// Whether these have positions for names.
    private var hasPositions = false

    init(_ form: ObjectForm) {
        self.form = form
    }

    private static let argumentKeys = ["arguments", "parameters"]
    private static let nameKeys = ["name", "tool_name"]
    private static let idKeys = ["id", "tool_call_id", "call_id"]
    private static let expectation = #"a call such as {"name": …, "arguments": {…}}"#

    mutating func step(_ input: inout CallInput, _ out: inout CallEvents) -> CallProgress {
        switch state {
        case .skipping:
            let progress = reader.read(&input) { _ in }
            guard case .done = progress else { return progress }
            state = .separator
            return .advanced
        case .arguments:
            let streams = streams
            let progress = reader.read(&input) { if streams { out.append(CollectionOfOne($0)) } }
            guard case .done = progress else { return progress }
            return takeArguments(&out)
        default: break
        }
        input.skipSpace()
        guard let byte = input.next else { return .undecided }
        return token(byte, &input, &out)
    }

    private mutating func token(_ byte: UInt8, _ input: inout CallInput, _ out: inout CallEvents) -> CallProgress {
        switch (state, byte) {
        case (.start, UInt8(ascii: "{")): return go(&input, .firstKey)
        case (.firstKey, UInt8(ascii: "}")), (.separator, UInt8(ascii: "}")):
            input.position += 1
            return closeObject(&out)
        case (.firstKey, UInt8(ascii: "\"")), (.key, UInt8(ascii: "\"")):
            guard let key = shortString(&input) else { return waiting(input) }
            keyRead = key
            state = .colon
            return .advanced
        case (.colon, UInt8(ascii: ":")): return go(&input, .value(key: keyRead))
        case (.separator, UInt8(ascii: ",")): return go(&input, .key)
        case (.value(let key), _): return value(key, byte, &input, &out)
        default: return unexpected(Self.expectation, byte)
        }
    }

    private var keyRead = ""
    /// Whether the arguments are streamed, because the call is certain and they are an object.
    private var streams = false

    private mutating func go(_ input: inout CallInput, _ next: State) -> CallProgress {
        input.position += 1
        state = next
        return .advanced
    }

    private func unexpected(_ expected: String, _ byte: UInt8) -> CallProgress {
        .failed(.unexpected(expected: expected, found: String(Unicode.Scalar(byte))))
    }
}

// MARK: - Values

extension ObjectCallReader {
    private mutating func value(
        _ key: String, _ byte: UInt8, _ input: inout CallInput, _ out: inout CallEvents
    ) -> CallProgress {
        if form.isKeyed, byte == UInt8(ascii: "{") {
            guard out.accepts(key) else { return .failed(.unknownFunction(key)) }
            take(name: key, &out)
            return beginArguments(byte, &out)
        }
        switch key {
        case "function" where byte == UInt8(ascii: "{") && wrappers == 0:
            wrappers += 1
            return go(&input, .firstKey)
        case "function" where byte == UInt8(ascii: "\""), _ where Self.nameKeys.contains(key):
            guard byte == UInt8(ascii: "\"") else { return unexpected(Self.expectation, byte) }
            guard let text = shortString(&input) else { return waiting(input) }
            guard out.accepts(text, isBare: form.isBare) else { return .failed(.unknownFunction(text)) }
            guard name == nil else { return .failed(.duplicate(key)) }
            take(name: text, &out)
            state = .separator
            return .advanced
        case _ where Self.argumentKeys.contains(key): return beginArguments(byte, &out)
        case _ where Self.idKeys.contains(key) && byte == UInt8(ascii: "\""):
            guard let text = shortString(&input) else { return waiting(input) }
            id = text
            state = .separator
            return .advanced
        default:
            // A call without marks can be distinguished from another object only by its shape.
            guard !form.isBare || key == "type" || Self.idKeys.contains(key) else {
                return .failed(.unexpected(expected: Self.expectation, found: key))
            }
            reader = JSONValueReader()
            state = .skipping
            return .advanced
        }
    }

    /// A call with marks is certain as soon as its name is known; one without, where its arguments begin.
    private mutating func take(name text: String, _ out: inout CallEvents) {
        name = text
        namePositions(out)
        guard !form.isBare else { return }
        out.begin(text, id: id)
        if let arguments { out.append(JSONValue.object(arguments).text(.python).utf8) }
    }

    private mutating func beginArguments(_ byte: UInt8, _ out: inout CallEvents) -> CallProgress {
        guard arguments == nil else { return .failed(.duplicate("arguments")) }
        let isObject = byte == UInt8(ascii: "{")
        if let name, form.isBare, isObject { out.begin(name, id: id) }
        streams = out.open != nil && isObject
        reader = JSONValueReader()
        state = .arguments
        return .advanced
    }

    private mutating func takeArguments(_ out: inout CallEvents) -> CallProgress {
        guard let value = reader.value, let members = JSONCalls.members(of: value) else {
            return .failed(.unexpected(expected: "an object with the arguments", found: nil))
        }
        arguments = members
        hasPositions = value.array != nil
        namePositions(out)
        if !streams, out.open != nil { out.append(JSONValue.object(arguments ?? [:]).text(.python).utf8) }
        state = .separator
        return .advanced
    }

    /// In a list, arguments have only positions: they get the names of the function's parameters.
    private mutating func namePositions(_ out: CallEvents) {
        guard hasPositions, let name, let values = arguments else { return }
        arguments = out.named(ToolCall(name: name, arguments: values)).arguments
        hasPositions = false
    }

    private mutating func closeObject(_ out: inout CallEvents) -> CallProgress {
        guard wrappers == 0 else {
            wrappers -= 1
            state = .separator
            return .advanced
        }
        guard let name else { return .failed(.unexpected(expected: Self.expectation, found: "}")) }
        guard let arguments = arguments ?? (form.isBare ? nil : [:]) else {
            return .failed(.unexpected(expected: Self.expectation, found: "}"))
        }
        if out.open == nil {
            out.appendWhole(ToolCall(name: name, arguments: arguments, id: id))
        } else {
            if self.arguments == nil { out.append("{}".utf8) }
            out.end(arguments, id: id)
        }
        return .done
    }
}

// MARK: - Short strings

extension ObjectCallReader {
    /// A key or a name; `nil` until it is complete.
    private func shortString(_ input: inout CallInput) -> String? {
        var end = input.position + 1
        while end < input.bytes.count, input.bytes[end] != UInt8(ascii: "\"") {
            end += input.bytes[end] == UInt8(ascii: "\\") ? 2 : 1
        }
        guard end < input.bytes.count else { return nil }
        let text = try? JSONValue(parsing: input.bytes[input.position...end]).string
        input.position = end + 1
        return text ?? ""
    }

    private func waiting(_ input: CallInput) -> CallProgress {
        input.rest.count > CallInput.nameLimit ? .failed(.unexpected(expected: "a name", found: nil)) : .undecided
    }
}
