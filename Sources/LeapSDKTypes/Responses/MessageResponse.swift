/// What a generation delivers, in order; ``complete(_:)`` comes last.
public enum MessageResponse: Sendable, Hashable {
    /// Text of the answer.
    case chunk(String)
    /// Text of the model's thoughts, from between `<think>` and `</think>`.
    case reasoningChunk(String)
    /// Sound, as samples in -1...1, `sampleRate` of them per second.
    case audioSample(samples: [Float], sampleRate: Int)
    /// Functions that the model asks to call.
    case functionCall([LeapFunctionCall])
    /// The end.
    case complete(MessageCompletion)
}

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

    /// Describes an end. The exact one is taken from `finishReason` where it is not given.
    public init(
        message: ChatMessage, finishReason: GenerationFinishReason, stats: GenerationStats?,
        ending: GenerationEnding? = nil
    ) {
        self.message = message
        self.finishReason = finishReason
        self.stats = stats
        self.ending = ending ?? (finishReason == .stop ? .endOfTurn : .contextFull)
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

/// Why a generation ended. The enum is closed, so that programs may switch over it without a default;
/// ``GenerationEnding`` tells more.
public enum GenerationFinishReason: String, Sendable, Hashable, Codable, CaseIterable {
    /// The model ended its answer, the most tokens asked for were generated, or the caller stopped it.
    case stop
    /// Prompt and answer fill the context.
    case exceed_context

    /// Same as ``exceed_context``.
    public static var exceedContext: GenerationFinishReason { .exceed_context }
}

/// Why a generation ended, exactly.
public enum GenerationEnding: String, Sendable, Hashable, Codable, CaseIterable {
    /// The model ended its answer.
    case endOfTurn
    /// As many tokens as were asked for are generated.
    case maximumTokens
    /// Prompt and answer fill the context.
    case contextFull
    /// The caller stopped it. The message holds what there was, but the conversation's history does not.
    case interrupted
    /// Another generation of the same conversation was running, so nothing was generated.
    case busy
}
