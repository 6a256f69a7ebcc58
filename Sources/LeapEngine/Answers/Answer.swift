public import LeapChat
public import LeapGeneration

/// A piece of an answer.
public enum AnswerEvent: Sendable {
    /// So much of the prompt is read, or was known before.
    case promptRead(tokens: Int, of: Int)
    /// How probable a token was, where the request asks; see ``LoadedModel/report(_:)``.
    case token(TokenProbability)
    /// Text.
    case text(String)
    /// Text of a thought.
    case reasoning(String)
    /// A call begins: the first of the answer has the index 0.
    case callBegins(index: Int, id: String?, name: String)
    /// The next part of a call's arguments: together they are its JSON.
    case callArguments(index: Int, String)
    /// Functions that the model asks to call, as a whole: those of one block.
    case calls([ToolCall])
    /// What began like calls and cannot be read: it came as text.
    case unreadableCall(ToolCallError)
    /// The next samples of speech, ``Speaking/sampleRate`` a second.
    case sound([Float])
}

extension AnswerEvent {
    init(_ event: GenerationEvent) {
        switch event {
        case .promptRead(let tokens, let count): self = .promptRead(tokens: tokens, of: count)
        case .token(let token): self = .token(token)
        case .text(let text): self = .text(text)
        case .reasoning(let text): self = .reasoning(text)
        case .callBegins(let index, let id, let name): self = .callBegins(index: index, id: id, name: name)
        case .callArguments(let index, let text): self = .callArguments(index: index, text)
        case .calls(let calls): self = .calls(calls)
        case .unreadableCall(let error): self = .unreadableCall(error)
        case .sound(let samples): self = .sound(samples)
        }
    }
}

/// A whole answer.
public struct Answer: Sendable {
    /// What was generated.
    public let result: GenerationResult
    /// All functions that the model asks to call.
    public let calls: [ToolCall]
    /// All that was said; `nil` where nothing sounded. Where it stands in the model's message of a later conversation, the model
    /// is shown what it said as it said it.
    public let sound: Sound?
}
