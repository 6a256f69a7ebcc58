import LeapChat
import LeapEngine
import LeapJSON
import OrderedCollections

/// Reads the input of responses, a list of items; errors name the field by its path, such as `input[2].type`.
///
/// The reasoning, text and tool calls of one turn are separate items, and become one message.
struct InputReader {
    private var messages: [Message] = []
    /// The model's turn that is being read.
    private var turn: Message?
    private var calls = NamedCalls()

    /// Instructions and items as one conversation.
    static func conversation(instructions: String?, input: JSONValue) throws(APIError) -> [Message] {
        var reader = InputReader()
        if let instructions, !instructions.isEmpty { reader.messages.append(Message(.system, instructions)) }
        if let text = input.string {
            reader.messages.append(Message(.user, text))
            return reader.messages
        }
        guard let items = input.array else {
            throw .expected("a string or an array of items", at: "input", found: input)
        }
        guard !items.isEmpty else { throw .invalid("input", "is empty: give at least one item") }
        for (index, item) in items.enumerated() { try reader.read(item, path: "input[\(index)]") }
        reader.endTurn()
        return reader.messages
    }

    private mutating func endTurn() {
        if let turn {
            calls.take(turn)
            messages.append(turn)
        }
        turn = nil
    }

    /// - Parameter path: The path of the result's call ID.
    private mutating func add(_ message: Message, path: String) throws(APIError) {
        endTurn()
        try calls.take(message, path: path)
        messages.append(message)
    }

    private mutating func add(_ call: ToolCall, _ item: JSONValue, _ path: String) throws(APIError) {
        var call = call
        call.id = try NamedCalls.name(item["call_id"], path: path + ".call_id")
        continueTurn { $0.calls.append(call) }
    }

    /// Modifies the turn that is being read, or begins a new one.
    private mutating func continueTurn(_ change: (inout Message) -> Void) {
        var message = turn ?? Message(.assistant, "")
        change(&message)
        turn = message
    }

    private mutating func read(_ item: JSONValue, path: String) throws(APIError) {
        switch item["type"]?.string {
        case nil where item["role"] != nil, "message": try readMessage(item, path: path)
        case "reasoning": readThought(item)
        case "function_call":
            let name = try Self.string("name", of: item, path)
            let arguments = try MessageReader.arguments(item["arguments"], path: path + ".arguments")
            try add(ToolCall(name: name, arguments: arguments), item, path)
        case "custom_tool_call":
            let name = try Self.string("name", of: item, path)
            let input = try Self.string("input", of: item, path)
            try add(ToolCall(name: name, arguments: ["input": .string(input)]), item, path)
        case "function_call_output", "custom_tool_call_output":
            let output = try MessageReader.text(item["output"], path: path + ".output")
            var result = Message(.tool, output ?? "")
            result.callID = try NamedCalls.name(item["call_id"], path: path + ".call_id")
            try add(result, path: path + ".call_id")
        case "item_reference":
            throw .invalid(path + ".type", "is 'item_reference', but responses are not stored: send the item itself")
        default:
            throw .expected(
                "'message', 'reasoning', 'function_call' or 'function_call_output'", at: path + ".type",
                found: item["type"] ?? .null)
        }
    }

    private mutating func readMessage(_ item: JSONValue, path: String) throws(APIError) {
        let message = try MessageReader.message(item, path: path)
        guard message.role == .assistant else { return try add(message, path: path) }
        if let turn, !turn.text.isEmpty || !turn.calls.isEmpty { endTurn() }
        continueTurn { $0.text = message.text }
    }

    /// The reasoning, if it is readable: encrypted reasoning is another server's.
    private mutating func readThought(_ item: JSONValue) {
        let parts = item["content"]?.array ?? []
        let text = (parts.isEmpty ? item["summary"]?.array ?? [] : parts).compactMap { $0["text"]?.string }.joined()
        guard !text.isEmpty else { return }
        if turn != nil { endTurn() }
        continueTurn { $0.reasoning = text }
    }

    private static func string(_ key: String, of item: JSONValue, _ path: String) throws(APIError) -> String {
        guard let text = item[key]?.string else {
            throw .expected("a string", at: "\(path).\(key)", found: item[key] ?? .null)
        }
        return text
    }
}
