/// One message of a conversation, in the shape of OpenAI's chat completions.
public struct ChatMessage: Sendable, Hashable {
    /// Who speaks.
    public enum Role: String, Codable, Sendable, Hashable, CaseIterable {
        /// The user.
        case user
        /// Instructions that stand above the conversation.
        case system
        /// The model.
        case assistant
        /// The result of a function that the model called.
        case tool
    }

    /// Who speaks.
    public var role: Role
    /// What is said, part by part.
    public var content: [ChatMessageContent]
    /// The model's thoughts before its answer. They are kept here and not in ``content``.
    public var reasoningContent: String?
    /// Functions that the model asks to call.
    public var functionCalls: [LeapFunctionCall]?

    /// Makes a message of parts.
    public init(
        role: Role, content: [ChatMessageContent], reasoningContent: String? = nil,
        functionCalls: [LeapFunctionCall]? = nil
    ) {
        self.role = role
        self.content = content
        self.reasoningContent = reasoningContent
        self.functionCalls = functionCalls
    }

    /// Makes a message of one part.
    public init(
        role: Role, content: ChatMessageContent, reasoningContent: String? = nil,
        functionCalls: [LeapFunctionCall]? = nil
    ) {
        self.init(role: role, content: [content], reasoningContent: reasoningContent, functionCalls: functionCalls)
    }

    /// Makes a message of text.
    public init(
        role: Role, textContent: String, reasoningContent: String? = nil, functionCalls: [LeapFunctionCall]? = nil
    ) {
        self.init(
            role: role, content: [.text(textContent)], reasoningContent: reasoningContent,
            functionCalls: functionCalls)
    }

    /// All text of ``content``, joined.
    public var text: String {
        content.compactMap { if case .text(let text) = $0 { text } else { nil } }.joined()
    }
}

/// Who speaks in a message.
public typealias ChatMessageRole = ChatMessage.Role
