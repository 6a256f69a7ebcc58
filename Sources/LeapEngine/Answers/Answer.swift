public import LeapChat
public import LeapGeneration

/// A piece of an answer.
public enum AnswerEvent: Sendable {
    /// So much of the prompt is read, or was known before.
    case promptRead(tokens: Int, of: Int)
    /// Text.
    case text(String)
    /// Text of a thought.
    case reasoning(String)
    /// Functions that the model asks to call.
    case calls([ToolCall])
}

/// A whole answer.
public struct Answer: Sendable {
    /// What was generated.
    public let result: GenerationResult
    /// All functions that the model asks to call.
    public let calls: [ToolCall]
}
