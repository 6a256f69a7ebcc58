/// A message of a conversation, modelled on OpenAI's chat completions.
public struct ChatMessage: Sendable, Hashable {
    /// The author of a message.
    public enum Role: String, Codable, Sendable, Hashable, CaseIterable {
        /// The user.
        case user
        /// The system prompt: instructions for the whole conversation.
        case system
        /// The model.
        case assistant
        /// A function, whose result the message contains.
        case tool
    }

    /// The author.
    public var role: Role
    /// The contents, in order.
    public var content: [ChatMessageContent]
    /// The model's reasoning before its answer, which is not part of ``content``.
    public var reasoningContent: String?
    /// The function calls of the model.
    public var functionCalls: [LeapFunctionCall]?

    /// Creates a message from several contents.
    public init(
        role: Role, content: [ChatMessageContent], reasoningContent: String? = nil,
        functionCalls: [LeapFunctionCall]? = nil
    ) {
        self.role = role
        self.content = content
        self.reasoningContent = reasoningContent
        self.functionCalls = functionCalls
    }

    /// Creates a message from a single content.
    public init(
        role: Role, content: ChatMessageContent, reasoningContent: String? = nil,
        functionCalls: [LeapFunctionCall]? = nil
    ) {
        self.init(role: role, content: [content], reasoningContent: reasoningContent, functionCalls: functionCalls)
    }

    /// Creates a text message.
    public init(
        role: Role, textContent: String, reasoningContent: String? = nil, functionCalls: [LeapFunctionCall]? = nil
    ) {
        self.init(
            role: role, content: [.text(textContent)], reasoningContent: reasoningContent,
            functionCalls: functionCalls)
    }

    /// The concatenated text of ``content``.
    public var text: String {
        content.compactMap { if case .text(let text) = $0 { text } else { nil } }.joined()
    }
}

/// The author of a message.
public typealias ChatMessageRole = ChatMessage.Role
