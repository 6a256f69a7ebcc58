public import LeapJSON

/// A function that the model asks to call.
public struct ChatCompletionToolCall: Sendable, Hashable {
    /// What the server calls this call: the result is sent back under this name. Empty where the server gave none.
    public var id: String
    /// The function's name.
    public var name: String
    /// The arguments as the model wrote them: JSON, unless the model made a mistake.
    public var arguments: String

    /// Makes a call.
    public init(id: String, name: String, arguments: String) {
        self.id = id
        self.name = name
        self.arguments = arguments
    }

    /// The call as OpenAI's API takes it in a message.
    public var json: JSONValue {
        [
            "id": .string(id), "type": "function",
            "function": ["name": .string(name), "arguments": .string(arguments)],
        ]
    }
}
