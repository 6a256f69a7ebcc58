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
        for (index, value) in json.enumerated() { messages.append(try message(value, path: "\(path)[\(index)]")) }
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
        let calls = try calls(json["tool_calls"], path: path + ".tool_calls")
        var text = try text(json["content"], path: path + ".content")
        if let refusal = json["refusal"]?.string { text = (text ?? "") + refusal }
        guard text != nil || (role == .assistant && (!calls.isEmpty || json["reasoning_content"]?.string != nil)) else {
            throw .invalid(
                path + ".content", "is missing: only an assistant's message that calls functions can be without")
        }
        return Message(role, text ?? "", reasoning: json["reasoning_content"]?.string, calls: calls)
    }

    /// Text, which may come in parts; `nil` where there is none.
    static func text(_ content: JSONValue?, path: String) throws(APIError) -> String? {
        switch content {
        case nil, .null: return nil
        case .string(let text): return text
        case .array(let parts):
            var text = ""
            for (index, part) in parts.enumerated() { text += try self.text(part: part, path: "\(path)[\(index)]") }
            return text
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
            throw .invalid(path + ".type", "is '\(part["type"]?.string ?? "")', but this model reads text alone")
        default: throw .expected("'text'", at: path + ".type", found: part["type"] ?? .null)
        }
    }

    private static func calls(_ json: JSONValue?, path: String) throws(APIError) -> [ToolCall] {
        guard let json, json != .null else { return [] }
        guard let elements = json.array else { throw .expected("an array of calls", at: path, found: json) }
        var calls: [ToolCall] = []
        for (index, element) in elements.enumerated() {
            let path = "\(path)[\(index)].function"
            let function = element["function"] ?? element["custom"] ?? element
            guard let name = function["name"]?.string else {
                throw .expected("a string", at: path + ".name", found: function["name"] ?? .null)
            }
            calls.append(
                ToolCall(name: name, arguments: try arguments(function["arguments"], path: path + ".arguments")))
        }
        return calls
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
        throw .expected("an object, or a string of one", at: path, found: json ?? .null)
    }
}
