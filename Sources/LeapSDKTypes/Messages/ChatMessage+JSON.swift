public import LeapJSON
import OrderedCollections

/// The message format of OpenAI's chat completions: `role`, `content`, `reasoning_content`, `tool_calls`. Written
/// content is always an array of parts; read content may also be a string or `null`.
extension ChatMessage {
    /// The message as a JSON object in the format of OpenAI's chat completions.
    public var json: JSONValue {
        var object: OrderedDictionary<String, JSONValue> = [
            "role": .string(role.rawValue), "content": .array(content.map(\.json)),
        ]
        if let reasoningContent { object["reasoning_content"] = .string(reasoningContent) }
        if let functionCalls { object["tool_calls"] = .array(functionCalls.map(\.json)) }
        return .object(object)
    }

    /// The message as a JSON object, with ids for its calls, or for the call whose result it is.
    func json(naming calls: [String]) -> JSONValue {
        guard var object = json.object else { return json }
        if role == .tool { object["tool_call_id"] = calls.first.map(JSONValue.string) }
        if role == .assistant, let functionCalls {
            object["tool_calls"] = .array(zip(calls, functionCalls).map { name, call in call.json(named: name) })
        }
        return .object(object)
    }

    /// Reads a message from a JSON object in the format of OpenAI's chat completions.
    ///
    /// - Throws: ``LeapError/serializationFailure(_:_:)``, which names the invalid field.
    public init(json: JSONValue) throws(LeapError) {
        guard json.object != nil else { throw .malformed("a message", expected: "an object", json) }
        self.init(role: try Role(json: json["role"]), content: try Self.content(json["content"]))
        reasoningContent = try json.optionalString("reasoning_content", of: "a message")
        functionCalls = try Self.functionCalls(json["tool_calls"])
    }

    private static func content(_ json: JSONValue?) throws(LeapError) -> [ChatMessageContent] {
        switch json {
        case nil, .null: return []
        case .string(let text): return [.text(text)]
        case .array(let parts): return try parts.map { part throws(LeapError) in try ChatMessageContent(json: part) }
        default: throw .malformed("a message's 'content'", expected: "a string or an array of parts", json)
        }
    }

    private static func functionCalls(_ json: JSONValue?) throws(LeapError) -> [LeapFunctionCall]? {
        switch json {
        case nil, .null: return nil
        case .array(let calls): return try calls.map { call throws(LeapError) in try LeapFunctionCall(json: call) }
        default: throw .malformed("a message's 'tool_calls'", expected: "an array of function calls", json)
        }
    }
}

extension ChatMessage.Role {
    /// Names that OpenAI's API has for the same roles.
    private static let otherNames = ["developer": "system", "function": "tool"]

    init(json: JSONValue?) throws(LeapError) {
        guard let name = json?.string, let role = Self(rawValue: Self.otherNames[name] ?? name) else {
            let roles = Self.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
            throw .malformed("a message's 'role'", expected: "one of \(roles)", json)
        }
        self = role
    }
}

extension LeapFunctionCall {
    /// The call in OpenAI's format, in which the arguments are a string of JSON.
    public var json: JSONValue {
        ["type": "function", "function": ["name": .string(name), "arguments": .string(argumentsJSON.text())]]
    }

    /// The call as a JSON object with an id.
    fileprivate func json(named name: String) -> JSONValue {
        guard case .object(var object) = json else { return json }
        object.updateValue(.string(name), forKey: "id", insertingAt: 0)
        return .object(object)
    }

    /// Reads a call in OpenAI's format or as a plain object with `name` and `arguments`. The arguments may be an object
    /// or a string of JSON.
    ///
    /// - Throws: ``LeapError/serializationFailure(_:_:)``, which names the invalid field.
    public init(json: JSONValue) throws(LeapError) {
        let call = json["function"] ?? json
        guard let name = call["name"]?.string else {
            throw .malformed("a function call's 'name'", expected: "a string", call["name"])
        }
        try self.init(name: name, arriving: call["arguments"])
    }

    /// Creates a call from received arguments: an object, or a string of JSON. A missing value, `null` and empty text
    /// are no arguments.
    ///
    /// - Throws: ``LeapError/serializationFailure(_:_:)`` for anything else.
    package init(name: String, arriving arguments: JSONValue?) throws(LeapError) {
        var value = arguments
        if case .string(let text) = arguments { value = try Self.value(of: text, name) }
        switch value {
        case nil, .null: self.init(name: name, argumentsJSON: [:])
        case .object(let members): self.init(name: name, argumentsJSON: .object(members))
        default: throw .malformed("the arguments of function call '\(name)'", expected: "a JSON object", arguments)
        }
    }

    private static func value(of text: String, _ name: String) throws(LeapError) -> JSONValue? {
        guard text.contains(where: { !$0.isWhitespace }) else { return nil }
        do throws(JSONError) { return try JSONValue(parsing: text) } catch {
            throw .serializationFailure("the arguments of function call '\(name)' are not valid JSON: \(error)", error)
        }
    }
}

extension JSONValue {
    /// The string of a key that may be missing or `null`.
    fileprivate func optionalString(_ key: String, of owner: String) throws(LeapError) -> String? {
        switch self[key] {
        case nil, .null: return nil
        case .string(let text): return text
        case let other: throw .malformed("\(owner)'s '\(key)'", expected: "a string", other)
        }
    }
}

extension LeapError {
    /// The error for a field with an unexpected value.
    static func malformed(_ field: String, expected: String, _ found: JSONValue?) -> LeapError {
        .serializationFailure("\(field) must be \(expected), found \(found?.excerpt() ?? "nothing")", nil)
    }
}
