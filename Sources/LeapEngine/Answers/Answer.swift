public import LeapChat
public import LeapGeneration

/// A piece of an answer.
public enum AnswerEvent: Sendable {
    /// Progress of the prefill: `tokens` of the prompt's tokens are read or were found in the cache.
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
    /// A block began like calls but could not be parsed; it was delivered as text.
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
    /// The whole recording; `nil` if the model said nothing. If a later conversation has it in the model's message, the
    /// prompt shows the model the tokens and codes that it generated then.
    public let sound: Sound?
}
