public import LeapJSON
import OrderedCollections

/// A message of a request: ``System``, ``User``, ``Assistant`` or ``Tool``.
///
///     let messages = [ChatMessage.System(content: "Answer briefly."), ChatMessage.User(content: "Why is the sky blue?")]
///
/// The messages of LeapSDK are another type of this name. Where both modules are imported, both spellings still compile,
/// because each has initialisers of its own; a declared type needs its module: `LeapOpenAIClient.ChatMessage`.
public protocol ChatMessage: Sendable {
    /// The message as OpenAI's API takes it: an object with `role` and `content`.
    var json: JSONValue { get }
}

extension ChatMessage {
    /// Instructions that stand above the conversation.
    public typealias System = ChatMessageSystem
    /// A message of the user.
    public typealias User = ChatMessageUser
    /// What the model said.
    public typealias Assistant = ChatMessageAssistant
    /// The result of a function that the model called.
    public typealias Tool = ChatMessageTool
}

/// Instructions that stand above the conversation.
public struct ChatMessageSystem: ChatMessage, Hashable {
    /// The text.
    public var content: String

    /// Makes a message.
    public init(content: String) {
        self.content = content
    }

    /// The message as OpenAI's API takes it.
    public var json: JSONValue { ["role": "system", "content": .string(content)] }
}

/// A message of the user.
public struct ChatMessageUser: ChatMessage, Hashable {
    /// Text and pictures, in order.
    public var parts: [ChatCompletionContentPart]

    /// Makes a message of text.
    public init(content: String) {
        parts = [.text(content)]
    }

    /// Makes a message of text and pictures.
    public init(parts: [ChatCompletionContentPart]) {
        self.parts = parts
    }

    /// All text, joined.
    public var content: String {
        parts.compactMap { if case .text(let text) = $0 { text } else { nil } }.joined()
    }

    /// The message as OpenAI's API takes it. What is text only is a plain string, which every server understands.
    public var json: JSONValue {
        let isText = parts.allSatisfy { if case .text = $0 { true } else { false } }
        return ["role": "user", "content": isText ? .string(content) : .array(parts.map(\.json))]
    }
}

/// What the model said.
public struct ChatMessageAssistant: ChatMessage, Hashable {
    /// The text; empty beside function calls as a rule.
    public var content: String
    /// Functions that it asked to call.
    public var toolCalls: [ChatCompletionToolCall]
    /// Its thoughts, for servers that want them back as `reasoning_content`; `nil` sends none.
    public var reasoning: String?

    /// Makes a message.
    public init(content: String, toolCalls: [ChatCompletionToolCall] = [], reasoning: String? = nil) {
        self.content = content
        self.toolCalls = toolCalls
        self.reasoning = reasoning
    }

    /// The message as OpenAI's API takes it.
    public var json: JSONValue {
        let content: JSONValue = content.isEmpty && !toolCalls.isEmpty ? .null : .string(content)
        return JSONObject(["role": "assistant", "content": content])
            .setting("reasoning_content", reasoning)
            .setting("tool_calls", toolCalls.isEmpty ? nil : .array(toolCalls.map(\.json)))
            .value
    }
}

/// The result of a function that the model called.
public struct ChatMessageTool: ChatMessage, Hashable {
    /// The result.
    public var content: String
    /// Which call it answers: ``ChatCompletionToolCall/id``.
    public var toolCallId: String

    /// Makes a message.
    public init(content: String, toolCallId: String) {
        self.content = content
        self.toolCallId = toolCallId
    }

    /// The message as OpenAI's API takes it.
    public var json: JSONValue {
        ["role": "tool", "content": .string(content), "tool_call_id": .string(toolCallId)]
    }
}
