import LeapChat
public import LeapJSON
import OrderedCollections

/// The shape of OpenAI's chat completions: `role`, `content`, `reasoning_content`, `tool_calls`, `tool_call_id`.
extension Message {
    /// The message as a JSON object.
    public var json: JSONValue {
        var object: OrderedDictionary<String, JSONValue> = ["role": .string(role.rawValue), "content": content]
        if let reasoning { object["reasoning_content"] = .string(reasoning) }
        if !calls.isEmpty { object["tool_calls"] = .array(calls.map(\.openAIJSON)) }
        if let callID { object["tool_call_id"] = .string(callID) }
        return .object(object)
    }

    private var content: JSONValue {
        guard !pictures.isEmpty || !sounds.isEmpty else { return .string(text) }
        return .array(
            parts.map {
                switch $0 {
                case .text(let text): ["type": "text", "text": .string(text)]
                case .picture(let picture): ["type": "image_url", "image_url": ["url": .string(picture.url)]]
                case .sound(let sound):
                    ["type": "input_audio", "input_audio": ["data": .string(sound.base64), "format": "wav"]]
                }
            })
    }

    /// Reads a message, whose content may be a string, parts of text, pictures and sounds, or nothing. Thoughts may also be
    /// called `thinking` or `reasoning`.
    ///
    /// - Throws: ``EngineError/malformed(field:expected:found:)``.
    public init(json: JSONValue) throws(EngineError) {
        guard json.object != nil else { throw .malformed("a message", expected: "an object", json) }
        self.init(
            try Role(json: json["role"]), try Self.parts(json["content"]), reasoning: try Self.reasoning(json),
            calls: try Self.calls(json["tool_calls"]))
        callID = json["tool_call_id"]?.string
    }

    private static func parts(_ content: JSONValue?) throws(EngineError) -> [Part] {
        switch content {
        case nil, .null: return []
        case .string(let text): return [.text(text)]
        case .array(let parts): return try parts.map { json throws(EngineError) in try part(json) }
        default: throw .malformed("a message's 'content'", expected: "a string or an array of parts", content)
        }
    }

    private static func part(_ json: JSONValue) throws(EngineError) -> Part {
        switch json["type"]?.string {
        case "text":
            guard let text = json["text"]?.string else {
                throw .malformed("a text part's 'text'", expected: "a string", json["text"])
            }
            return .text(text)
        case "image_url":
            guard let url = (json["image_url"]?["url"] ?? json["image_url"])?.string else {
                throw .malformed("an image part's 'image_url'", expected: "an object with a 'url'", json["image_url"])
            }
            return .picture(try Picture(url: url, field: "an image part's 'url'"))
        case "input_audio":
            guard let text = json["input_audio"]?["data"]?.string else {
                throw .malformed(
                    "an audio part's 'input_audio'", expected: "an object with 'data'", json["input_audio"])
            }
            return .sound(try Sound(base64: text, field: "an audio part's 'data'"))
        default:
            throw .malformed(
                "a content part's 'type'", expected: "'text', 'image_url' or 'input_audio'", json["type"])
        }
    }

    private static func reasoning(_ json: JSONValue) throws(EngineError) -> String? {
        switch json["reasoning_content"] {
        case nil, .null, .string: return reasoning(in: json)
        case let other: throw .malformed("a message's 'reasoning_content'", expected: "a string", other)
        }
    }

    /// What the model thought, by the first of the names that clients and servers use for it and under which there is text.
    package static func reasoning(in json: JSONValue) -> String? {
        let thoughts = ["reasoning_content", "thinking", "reasoning"].lazy.compactMap { json[$0]?.string }
        return thoughts.first { !$0.isEmpty } ?? json["reasoning_content"]?.string
    }

    private static func calls(_ json: JSONValue?) throws(EngineError) -> [ToolCall] {
        switch json {
        case nil, .null: return []
        case .array(let calls): return try calls.map { call throws(EngineError) in try ToolCall(openAIJSON: call) }
        default: throw .malformed("a message's 'tool_calls'", expected: "an array of function calls", json)
        }
    }
}

extension Message.Role {
    init(json: JSONValue?) throws(EngineError) {
        guard let name = json?.string, let role = Self(rawValue: name) else {
            let roles = Self.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
            throw .malformed("a message's 'role'", expected: "one of \(roles)", json)
        }
        self = role
    }
}

extension ToolCall {
    /// The call as OpenAI writes it: the arguments are a string of JSON.
    fileprivate var openAIJSON: JSONValue {
        var object: OrderedDictionary<String, JSONValue> = [
            "type": "function",
            "function": ["name": .string(name), "arguments": .string(JSONValue.object(arguments).text())],
        ]
        if let id { object.updateValue(.string(id), forKey: "id", insertingAt: 0) }
        return .object(object)
    }

    /// Reads a call in OpenAI's form or flat, `{"name", "arguments"}`; the arguments may be an object or a string of JSON.
    fileprivate init(openAIJSON json: JSONValue) throws(EngineError) {
        let call = json["function"] ?? json
        guard let name = call["name"]?.string else {
            throw .malformed("a function call's 'name'", expected: "a string", call["name"])
        }
        self.init(name: name, arguments: try Self.arguments(call["arguments"]), id: json["id"]?.string)
    }

    private static func arguments(_ json: JSONValue?) throws(EngineError) -> OrderedDictionary<String, JSONValue> {
        switch json {
        case nil, .null: return [:]
        case .object(let arguments): return arguments
        case .string(let text):
            if let arguments = (try? JSONValue(parsing: text))?.object { return arguments }
        default: break
        }
        throw .malformed("a function call's 'arguments'", expected: "an object, or an object as a JSON string", json)
    }
}
