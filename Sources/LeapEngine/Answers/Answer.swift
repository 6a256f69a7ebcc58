public import LeapChat
public import LeapGeneration

/// A piece of an answer. Probabilities of tokens become readable by ``LoadedModel/report(_:)``; samples of speech are
/// ``SpeechOutput/sampleRate`` a second.
public typealias AnswerEvent = GenerationEvent

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
