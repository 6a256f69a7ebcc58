public import LeapChat

/// A message of a conversation, as a chat template is told of it.
public struct Message: Sendable, Hashable {
    /// Who speaks.
    public enum Role: String, Sendable, Hashable, CaseIterable {
        /// Instructions that stand above the conversation.
        case system
        /// The person who asks.
        case user
        /// The model.
        case assistant
        /// A function that the model called.
        case tool
    }

    /// Who speaks.
    public var role: Role
    /// What is said.
    public var text: String
    /// What the model thought before it answered; templates leave out what it should not see again.
    public var reasoning: String?
    /// The functions that the model asked to call.
    public var calls: [ToolCall]

    /// Makes a message.
    public init(_ role: Role, _ text: String, reasoning: String? = nil, calls: [ToolCall] = []) {
        self.role = role
        self.text = text
        self.reasoning = reasoning
        self.calls = calls
    }
}
