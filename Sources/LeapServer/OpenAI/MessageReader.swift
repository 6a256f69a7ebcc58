import LeapChat
import LeapEngine
import LeapJSON
import OrderedCollections

/// Reads the messages of OpenAI's chat completions; errors name the field by its path, such as `messages[2].role`.
enum MessageReader {
    private static let roles: [String: Message.Role] = [
        "system": .system, "developer": .system, "user": .user, "assistant": .assistant, "tool": .tool,
        "function": .tool,
    ]

    /// The messages of a list.
    static func messages(_ json: [JSONValue], path: String) throws(APIError) -> [Message] {
        guard !json.isEmpty else { throw .invalid(path, "is empty: give at least one message") }
        var messages: [Message] = []
        var calls = NamedCalls()
        for (index, value) in json.enumerated() {
            let path = "\(path)[\(index)]"
            let message = try message(value, path: path)
            try calls.take(message, path: path + ".tool_call_id")
            messages.append(message)
        }
        return messages
    }

    /// A message.
    static func message(_ json: JSONValue, path: String) throws(APIError) -> Message {
        guard json.object != nil else { throw .expected("an object", at: path, found: json) }
        guard let role = json["role"]?.string.flatMap({ roles[$0] }) else {
            throw .expected(
                "one of 'system', 'developer', 'user', 'assistant', 'tool'", at: path + ".role",
                found: json["role"] ?? .null)
        }
        var calls = try calls(json["tool_calls"], path: path + ".tool_calls")
        if calls.isEmpty, let call = json["function_call"], call != .null {
            calls = [try Self.call(call, id: nil, path: path + ".function_call")]
        }
        var parts = try parts(json["content"], path: path + ".content")
        if let refusal = json["refusal"]?.string { parts = (parts ?? []) + [.text(refusal)] }
        if role == .assistant, let sound = try SpokenChat.said(json, path: path) {
            parts = (parts ?? []) + [.sound(sound)]
        }
        let reasoning = Message.reasoning(in: json)
        guard parts != nil || (role == .assistant && (!calls.isEmpty || reasoning != nil)) else {
            throw .invalid(
                path + ".content", "is missing: only assistant messages with tool calls or reasoning may omit it")
        }
        var message = Message(role, parts ?? [], reasoning: reasoning, calls: calls)
        if role == .tool { message.callID = try NamedCalls.name(json["tool_call_id"], path: path + ".tool_call_id") }
        return message
    }

    /// Text, images and audio, which may come in parts; `nil` if there is nothing. Consecutive texts become one, because
    /// most templates take no lists.
    static func parts(_ content: JSONValue?, path: String) throws(APIError) -> [Message.Part]? {
        guard case .array(let elements) = content else { return try text(content, path: path).map { [.text($0)] } }
        var parts: [Message.Part] = []
        for (index, element) in elements.enumerated() {
            let path = "\(path)[\(index)]"
            if let picture = try picture(part: element, path: path) {
                parts.append(.picture(picture))
            } else if let sound = try sound(part: element, path: path) {
                parts.append(.sound(sound))
            } else {
                append(try text(part: element, path: path), to: &parts)
            }
        }
        return parts
    }

    private static func append(_ text: String, to parts: inout [Message.Part]) {
        guard case .text(let last)? = parts.last else { return parts.append(.text(text)) }
        parts[parts.count - 1] = .text(last + separator + text)
    }

    /// What separates consecutive texts of a message, as in llama.cpp's server and in vLLM.
    private static let separator = "\n"

    /// The image of a part of a chat completion or a response; `nil` if it is not an image.
    private static func picture(part: JSONValue, path: String) throws(APIError) -> Picture? {
        guard let type = part["type"]?.string, type == "image_url" || type == "input_image" else { return nil }
        let path = path + ".image_url"
        guard let url = part["image_url"]?["url"]?.string ?? part["image_url"]?.string else {
            throw .expected("a data: URL", at: path, found: part["image_url"] ?? .null)
        }
        return try picture(url: url, path: path)
    }

    /// The picture of a `data:` URL.
    static func picture(url: String, path: String) throws(APIError) -> Picture {
        try input(path) { path throws(EngineError) in try Picture(url: url, field: path) }
    }

    /// The picture of a text of base64.
    static func picture(base64 text: String, path: String) throws(APIError) -> Picture {
        try input(path) { path throws(EngineError) in try Picture(base64: text, field: path) }
    }

    /// Reads an image or audio at a path, which both kinds of error would name.
    private static func input<Input>(
        _ path: String, _ read: (_ path: String) throws(EngineError) -> Input
    ) throws(APIError) -> Input {
        do { return try read(path) } catch {
            guard case .malformed(_, let expected, let found) = error else {
                throw .invalid(path, "cannot be read: \(error)")
            }
            throw .invalid(path, "must be \(expected), found \(found)")
        }
    }

    /// The audio of a part; `nil` if it is not audio.
    private static func sound(part: JSONValue, path: String) throws(APIError) -> Sound? {
        guard part["type"]?.string == "input_audio" else { return nil }
        let path = path + ".input_audio"
        guard let text = part["input_audio"]?["data"]?.string else {
            throw .expected("an object with 'data' in base64", at: path, found: part["input_audio"] ?? .null)
        }
        if let format = part["input_audio"]?["format"], format != "wav" {
            throw .expected("'wav', the only supported format", at: path + ".format", found: format)
        }
        return try input(path + ".data") { path throws(EngineError) in try Sound(base64: text, field: path) }
    }

    /// Text, which may come in parts; `nil` if there is none.
    static func text(_ content: JSONValue?, path: String) throws(APIError) -> String? {
        switch content {
        case nil, .null: return nil
        case .string(let text): return text
        case .array(let parts):
            var texts: [String] = []
            for (index, part) in parts.enumerated() { texts.append(try text(part: part, path: "\(path)[\(index)]")) }
            return texts.joined(separator: separator)
        case .some(let other): throw .expected("a string or an array of parts", at: path, found: other)
        }
    }

    private static func text(part: JSONValue, path: String) throws(APIError) -> String {
        switch part["type"]?.string {
        case "text", "input_text", "output_text":
            guard let text = part["text"]?.string else {
                throw .expected("a string", at: path + ".text", found: part["text"] ?? .null)
            }
            return text
        case "refusal": return part["refusal"]?.string ?? ""
        case "image_url", "input_image", "image", "input_audio", "audio", "file", "input_file", "video_url":
            throw .invalid(
                path + ".type",
                "is '\(part["type"]?.string ?? "")', which is not supported here: use text, or in messages 'image_url' or "
                    + "'input_audio'")
        default: throw .expected("'text'", at: path + ".type", found: part["type"] ?? .null)
        }
    }

    private static func calls(_ json: JSONValue?, path: String) throws(APIError) -> [ToolCall] {
        guard let json, json != .null else { return [] }
        guard let elements = json.array else { throw .expected("an array of tool calls", at: path, found: json) }
        var calls: [ToolCall] = []
        for (index, element) in elements.enumerated() {
            let id = try NamedCalls.name(element["id"], path: "\(path)[\(index)].id")
            let path = "\(path)[\(index)]"
            // Some clients write out absent members as null.
            if let custom = element["custom"], custom != .null {
                guard let input = custom["input"]?.string else {
                    throw .expected("a string", at: path + ".custom.input", found: custom["input"] ?? .null)
                }
                let arguments: JSONValue = ["input": .string(input)]
                calls.append(try call(custom.with("arguments", arguments), id: id, path: path + ".custom"))
            } else {
                calls.append(try call(element["function"] ?? element, id: id, path: path + ".function"))
            }
        }
        return calls
    }

    private static func call(_ function: JSONValue, id: String?, path: String) throws(APIError) -> ToolCall {
        guard let name = function["name"]?.string else {
            throw .expected("a string", at: path + ".name", found: function["name"] ?? .null)
        }
        return ToolCall(
            name: name, arguments: try arguments(function["arguments"], path: path + ".arguments"), id: id)
    }

    /// Arguments, which are an object or the text of one.
    static func arguments(_ json: JSONValue?, path: String) throws(APIError) -> OrderedDictionary<String, JSONValue> {
        switch json {
        case nil, .null, .string(""): return [:]
        case .object(let members): return members
        case .string(let text):
            if let members = (try? JSONValue(parsing: text))?.object { return members }
        default: break
        }
        throw .expected("an object, or a string that contains one", at: path, found: json ?? .null)
    }
}
