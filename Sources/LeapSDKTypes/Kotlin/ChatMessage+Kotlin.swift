import LeapJSON

// Versions 0.10 of the API had a class for messages, and these spellings around it.

/// Creates a message from parts.
public func ChatMessage_withArray(
    role: ChatMessage.Role, content: [ChatMessageContent], reasoningContent: String? = nil,
    functionCalls: [LeapFunctionCall]? = nil
) -> ChatMessage {
    ChatMessage(role: role, content: content, reasoningContent: reasoningContent, functionCalls: functionCalls)
}

extension ChatMessage.Role {
    /// The role's name in JSON.
    public var type: String { rawValue }

    /// All roles.
    public static var entries: [ChatMessage.Role] { allCases }

    /// Looks up roles by name.
    public struct Companion: Sendable {
        /// Returns the role with a name.
        ///
        /// - Throws: ``LeapError/serializationFailure(_:_:)`` for any other name.
        public func fromTypeString(type: String) throws -> ChatMessage.Role {
            try ChatMessage.Role(json: .string(type))
        }
    }

    /// Looks up roles by name.
    public static let companion = Companion()
}
