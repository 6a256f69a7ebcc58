/// The end of a generation.
public struct MessageCompletion: Sendable, Hashable {
    /// The whole answer.
    public let message: ChatMessage
    /// Why it ended, in two words: see ``ending`` for more.
    public let finishReason: GenerationFinishReason
    /// What it cost; `nil` where nothing was generated.
    public let stats: GenerationStats?
    /// Why it ended, exactly.
    public let ending: GenerationEnding
    /// How probable each token was, of thoughts and answer, in order; `nil` unless ``GenerationOptions/topLogprobs`` asks.
    public let logprobs: [TokenLogprob]?
    /// Messages of the history that the model was not shown, because the context has no room for them; see
    /// ``GenerationOptions/contextPolicy``.
    public let droppedMessages: [ChatMessage]

    /// Describes an end. The exact one is taken from `finishReason` where it is not given.
    public init(
        message: ChatMessage, finishReason: GenerationFinishReason, stats: GenerationStats?,
        ending: GenerationEnding? = nil, logprobs: [TokenLogprob]? = nil, droppedMessages: [ChatMessage] = []
    ) {
        self.message = message
        self.finishReason = finishReason
        self.stats = stats
        self.ending = ending ?? GenerationEnding(finishReason)
        self.logprobs = logprobs
        self.droppedMessages = droppedMessages
    }

    /// The parts of the completion beside the message.
    public var info: GenerationCompleteInfo { GenerationCompleteInfo(finishReason: finishReason, stats: stats) }
}

/// How a generation ended and what it cost.
public struct GenerationCompleteInfo: Sendable, Hashable {
    /// Why it ended.
    public let finishReason: GenerationFinishReason
    /// What it cost; `nil` where nothing was generated.
    public let stats: GenerationStats?

    /// Describes an end.
    public init(finishReason: GenerationFinishReason, stats: GenerationStats?) {
        self.finishReason = finishReason
        self.stats = stats
    }
}
