public import LeapChat

/// A message of a conversation, as a chat template gets it.
public struct Message: Sendable, Hashable {
    /// Who speaks.
    public enum Role: String, Sendable, Hashable, CaseIterable {
        /// Instructions that stand above the conversation.
        case system
        /// The user.
        case user
        /// The model.
        case assistant
        /// A function that the model called.
        case tool
    }

    /// A part of the content.
    public enum Part: Sendable, Hashable {
        /// Text.
        case text(String)
        /// A picture.
        case picture(Picture)
        /// A sound.
        case sound(Sound)
    }

    /// Who speaks.
    public var role: Role
    /// The content, in order.
    public var parts: [Part]
    /// What the model thought before it answered; templates leave out what it should not see again.
    public var reasoning: String?
    /// The functions that the model asked to call.
    public var calls: [ToolCall]
    /// In a message of role `tool`: the `id` of the call whose result it is. Without one it answers the first call that
    /// has no result yet.
    public var callID: String?

    /// Makes a message of text.
    public init(_ role: Role, _ text: String, reasoning: String? = nil, calls: [ToolCall] = []) {
        self.init(role, [.text(text)], reasoning: reasoning, calls: calls)
    }

    /// Makes a message of several parts.
    public init(_ role: Role, _ parts: [Part], reasoning: String? = nil, calls: [ToolCall] = []) {
        self.role = role
        self.parts = parts
        self.reasoning = reasoning
        self.calls = calls
    }

    /// The text of all parts. Setting it replaces the old text and puts the new one in front of all pictures and sounds.
    public var text: String {
        get { parts.map { if case .text(let text) = $0 { text } else { "" } }.joined() }
        set { parts = [.text(newValue)] + parts.filter { if case .text = $0 { false } else { true } } }
    }

    /// What is shown.
    public var pictures: [Picture] { parts.compactMap { if case .picture(let picture) = $0 { picture } else { nil } } }

    /// What is played.
    public var sounds: [Sound] { parts.compactMap { if case .sound(let sound) = $0 { sound } else { nil } } }
}
