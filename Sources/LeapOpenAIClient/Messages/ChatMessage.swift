public import LeapJSON
import OrderedCollections

/// A message of a request: ``System``, ``User``, ``Assistant`` or ``Tool``.
///
///     let messages = [ChatMessage.System(content: "Answer briefly."), ChatMessage.User(content: "Why is the sky blue?")]
///
/// LeapSDK has another type of this name. If both modules are imported, both spellings still compile, because their
/// initialisers differ; type annotations need the module name: `LeapOpenAIClient.ChatMessage`.
public protocol ChatMessage: Sendable {
    /// The message in the format of OpenAI's API: an object with `role` and `content`.
    var json: JSONValue { get }
}

extension ChatMessage {
    /// The system prompt: instructions for the whole conversation.
    public typealias System = ChatMessageSystem
    /// A message of the user.
    public typealias User = ChatMessageUser
    /// An answer of the model.
    public typealias Assistant = ChatMessageAssistant
    /// The result of a function call.
    public typealias Tool = ChatMessageTool
}

/// The system prompt: instructions for the whole conversation.
public struct ChatMessageSystem: ChatMessage, Hashable {
    /// The text.
    public var content: String

    /// Creates a message.
    public init(content: String) {
        self.content = content
    }

    /// The message in the format of OpenAI's API.
    public var json: JSONValue { ["role": "system", "content": .string(content)] }
}

/// A message of the user.
public struct ChatMessageUser: ChatMessage, Hashable {
    /// The contents, in order: text, images and audio.
    public var parts: [ChatCompletionContentPart]

    /// Creates a text message.
    public init(content: String) {
        parts = [.text(content)]
    }

    /// Creates a message from several contents.
    public init(parts: [ChatCompletionContentPart]) {
        self.parts = parts
    }

    /// The concatenated text.
    public var content: String {
        parts.compactMap { if case .text(let text) = $0 { text } else { nil } }.joined()
    }

    /// The message in the format of OpenAI's API. A message that contains only text is written as a plain string, which
    /// every server accepts.
    public var json: JSONValue {
        let isText = parts.allSatisfy { if case .text = $0 { true } else { false } }
        return ["role": "user", "content": isText ? .string(content) : .array(parts.map(\.json))]
    }
}

/// An answer of the model.
public struct ChatMessageAssistant: ChatMessage, Hashable {
    /// The text; usually empty if there are function calls.
    public var content: String
    /// The function calls of the model.
    public var toolCalls: [ChatCompletionToolCall]
    /// The model's reasoning, for servers that expect it as `reasoning_content`; `nil` sends none.
    public var reasoning: String?

    /// Creates a message.
    public init(content: String, toolCalls: [ChatCompletionToolCall] = [], reasoning: String? = nil) {
        self.content = content
        self.toolCalls = toolCalls
        self.reasoning = reasoning
    }

    /// The message in the format of OpenAI's API.
    public var json: JSONValue {
        let content: JSONValue = content.isEmpty && !toolCalls.isEmpty ? .null : .string(content)
        return JSONObject(["role": "assistant", "content": content])
            .setting("reasoning_content", reasoning)
            .setting("tool_calls", toolCalls.isEmpty ? nil : .array(toolCalls.map(\.json)))
            .value
    }
}

/// The result of a function call.
public struct ChatMessageTool: ChatMessage, Hashable {
    /// The result.
    public var content: String
    /// The id of the call: ``ChatCompletionToolCall/id``.
    public var toolCallId: String

    /// Creates a message.
    public init(content: String, toolCallId: String) {
        self.content = content
        self.toolCallId = toolCallId
    }

    /// The message in the format of OpenAI's API.
    public var json: JSONValue {
        ["role": "tool", "content": .string(content), "tool_call_id": .string(toolCallId)]
    }
}
