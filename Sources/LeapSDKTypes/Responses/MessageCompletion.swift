/// The end of a generation.
public struct MessageCompletion: Sendable, Hashable {
    /// The complete answer.
    public let message: ChatMessage
    /// The reason why it ended; see ``ending`` for details.
    public let finishReason: GenerationFinishReason
    /// The statistics; `nil` if nothing was generated.
    public let stats: GenerationStats?
    /// The exact reason why it ended.
    public let ending: GenerationEnding
    /// The probability of each generated token, including reasoning, in order; `nil` unless
    /// ``GenerationOptions/topLogprobs`` is set.
    public let logprobs: [TokenLogprob]?
    /// The messages of the history that were dropped to fit the context; see ``GenerationOptions/contextPolicy``.
    public let droppedMessages: [ChatMessage]

    /// Creates a completion. If `ending` is `nil`, it is derived from `finishReason`.
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

    /// The finish reason and the statistics.
    public var info: GenerationCompleteInfo { GenerationCompleteInfo(finishReason: finishReason, stats: stats) }
}

/// The finish reason and the statistics of a generation.
public struct GenerationCompleteInfo: Sendable, Hashable {
    /// The reason why it ended.
    public let finishReason: GenerationFinishReason
    /// The statistics; `nil` if nothing was generated.
    public let stats: GenerationStats?

    /// Creates the information.
    public init(finishReason: GenerationFinishReason, stats: GenerationStats?) {
        self.finishReason = finishReason
        self.stats = stats
    }
}
