import LeapChat
import LeapEngine
import LeapJSON
import OrderedCollections

/// Reads Anthropic's messages, which are made of blocks; errors name the field by its path, such as
/// `messages[2].content[0].type`.
enum BlockReader {
    private static let roles: [String: Message.Role] = ["user": .user, "assistant": .assistant, "system": .system]

    /// Instructions and messages as one conversation.
    static func conversation(system: JSONValue?, messages: [JSONValue]) throws(APIError) -> [Message] {
        guard !messages.isEmpty else { throw .invalid("messages", "is empty: give at least one message") }
        var conversation: [Message] = []
        if let text = try instructions(system) { conversation.append(Message(.system, text)) }
        var calls = NamedCalls()
        for (index, value) in messages.enumerated() {
            let path = "messages[\(index)]"
            guard let role = value["role"]?.string.flatMap({ roles[$0] }) else {
                throw .expected("'user' or 'assistant'", at: path + ".role", found: value["role"] ?? .null)
            }
            for message in try self.messages(role, value["content"], path: path + ".content") {
                try calls.take(message, path: path + ".content")
                append(message, to: &conversation)
            }
        }
        return conversation
    }

    /// Merges consecutive turns of the user, as Anthropic does, and as most templates require.
    private static func append(_ message: Message, to conversation: inout [Message]) {
        guard let last = conversation.last, last.role == message.role, message.role == .user else {
            return conversation.append(message)
        }
        conversation[conversation.count - 1].parts = message.parts.reduce(last.parts) { appending($1, to: $0) }
    }

    /// Paragraphs.
    private static func join(_ texts: [String]) -> String { texts.joined(separator: "\n\n") }

    /// The prefix of a block that Claude Code puts in front of its instructions. It differs in every request, so if it
    /// were kept, the prefix cache would never match anything after it.
    private static let billingMark = "x-anthropic-billing-header"

    private static func instructions(_ system: JSONValue?) throws(APIError) -> String? {
        guard let system, var blocks = system.array else {
            return try system.flatMap { value throws(APIError) in try text(value, path: "system") }
        }
        if blocks.first?["text"]?.string?.hasPrefix(billingMark) == true { blocks.removeFirst() }
        return blocks.isEmpty ? nil : try text(.array(blocks), path: "system")
    }

    /// A text, or text blocks.
    private static func text(_ content: JSONValue, path: String) throws(APIError) -> String {
        if let text = content.string { return text }
        guard let blocks = content.array else {
            throw .expected("a string or an array of blocks", at: path, found: content)
        }
        var texts: [String] = []
        for (index, block) in blocks.enumerated() { texts.append(try text(block: block, path: "\(path)[\(index)]")) }
        return join(texts)
    }

    private static func text(block: JSONValue, path: String) throws(APIError) -> String {
        guard block["type"] == "text" else { throw unreadable(block, path, expected: "'text'") }
        return try string("text", of: block, path)
    }

    private static func string(_ key: String, of block: JSONValue, _ path: String) throws(APIError) -> String {
        guard let text = block[key]?.string else {
            throw .expected("a string", at: "\(path).\(key)", found: block[key] ?? .null)
        }
        return text
    }

    private static func unreadable(_ block: JSONValue, _ path: String, expected: String) -> APIError {
        let type = block["type"]?.string ?? ""
        guard ["image", "document", "search_result", "container_upload"].contains(type) else {
            return .expected(expected, at: path + ".type", found: block["type"] ?? .null)
        }
        return .invalid(path + ".type", "is '\(type)', but only text, and images in user messages, are supported")
    }
}

// MARK: - Messages of blocks

extension BlockReader {
    /// The messages that correspond to one of Anthropic's: results of calls become messages of their own.
    private static func messages(
        _ role: Message.Role, _ content: JSONValue?, path: String
    ) throws(APIError) -> [Message] {
        guard let blocks = content?.array else { return [Message(role, try text(content ?? .null, path: path))] }
        guard !blocks.isEmpty else { throw .invalid(path, "is empty: give at least one block") }
        guard role != .assistant else { return [try answer(blocks, path: path)] }
        var messages: [Message] = []
        var parts: [Message.Part] = []
        for (index, block) in blocks.enumerated() {
            let path = "\(path)[\(index)]"
            guard block["type"] == "tool_result", role == .user else {
                parts = appending(try part(block, path: path), to: parts)
                continue
            }
            if !parts.isEmpty { messages.append(Message(role, parts)) }
            parts = []
            var result = Message(.tool, try result(block, path: path))
            result.callID = try NamedCalls.name(block["tool_use_id"], path: path + ".tool_use_id")
            messages.append(result)
        }
        return parts.isEmpty ? messages : messages + [Message(role, parts)]
    }

    /// Merges consecutive texts.
    private static func appending(_ part: Message.Part, to parts: [Message.Part]) -> [Message.Part] {
        guard case .text(let text) = part, case .text(let last)? = parts.last else { return parts + [part] }
        return parts.dropLast() + [.text(join([last, text]))]
    }

    /// A text, or a picture in base64.
    private static func part(_ block: JSONValue, path: String) throws(APIError) -> Message.Part {
        guard block["type"] == "image" else { return .text(try text(block: block, path: path)) }
        let (source, path) = (block["source"] ?? .null, path + ".source")
        guard source["type"] == "base64" else {
            throw .expected(
                "'base64' (the server does not fetch URLs)", at: path + ".type", found: source["type"] ?? .null)
        }
        let text = try string("data", of: source, path)
        return .picture(try MessageReader.picture(base64: text, path: path + ".data"))
    }

    private static let isError = Field.bool("is_error", "whether the tool call failed")

    /// A tool result: text and images. Templates have no notion of failure, so the text states it.
    private static func result(_ block: JSONValue, path: String) throws(APIError) -> [Message.Part] {
        let content = block["content"] ?? .null
        var parts: [Message.Part] = []
        if let blocks = content.array {
            for (index, block) in blocks.enumerated() {
                parts = appending(try part(block, path: "\(path).content[\(index)]"), to: parts)
            }
        } else if content != .null {
            parts = [.text(try text(content, path: path + ".content"))]
        }
        guard try FieldReader(block, path: path)(isError) == true else { return parts.isEmpty ? [.text("")] : parts }
        guard case .text(let text)? = parts.first else { return [.text("Error: ")] + parts }
        return [.text("Error: " + text)] + parts.dropFirst()
    }

    /// An earlier message of the model: text, reasoning and tool calls.
    private static func answer(_ blocks: [JSONValue], path: String) throws(APIError) -> Message {
        var (texts, thoughts): ([String], [String]) = ([], [])
        var calls: [ToolCall] = []
        for (index, block) in blocks.enumerated() {
            let path = "\(path)[\(index)]"
            switch block["type"]?.string {
            case "text": texts.append(try string("text", of: block, path))
            case "thinking": thoughts.append(try string("thinking", of: block, path))
            // No local model can read these.
            case "redacted_thinking": break
            case "tool_use":
                calls.append(
                    ToolCall(
                        name: try string("name", of: block, path),
                        arguments: try MessageReader.arguments(block["input"], path: path + ".input"),
                        id: try NamedCalls.name(block["id"], path: path + ".id")))
            default: throw unreadable(block, path, expected: "'text', 'thinking' or 'tool_use'")
            }
        }
        let reasoning = thoughts.filter { !$0.isEmpty }
        return Message(
            .assistant, join(texts), reasoning: reasoning.isEmpty ? nil : join(reasoning), calls: calls)
    }
}
