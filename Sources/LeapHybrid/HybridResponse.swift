public import LeapOpenAIClient
public import LeapSDKTypes

/// A response of a ``HybridConversation``, whichever side answers. Responses are delivered in order; the last one is
/// ``complete(_:)``.
public enum HybridResponse: Sendable, Hashable {
    /// The side that is asked. Delivered a second time if the first side failed before its first token.
    case route(HybridRoute)
    /// A piece of the answer's text.
    case chunk(String)
    /// A piece of the model's reasoning.
    case reasoningChunk(String)
    /// Audio samples in -1...1, at `sampleRate` Hz.
    case audioSample(samples: [Float], sampleRate: Int)
    /// Function calls of the model.
    case functionCall([LeapFunctionCall])
    /// The end of the generation.
    case complete(HybridCompletion)
}

/// The side that is asked, and why.
public struct HybridRoute: Sendable, Hashable {
    /// The side that is asked.
    public let side: HybridSide
    /// The reason, for logs.
    public let reason: String
    /// The failure of the other side, if it was asked before.
    public let failure: String?

    /// Creates a route.
    public init(side: HybridSide, reason: String, failure: String? = nil) {
        self.side = side
        self.reason = reason
        self.failure = failure
    }
}

/// The end of a generation.
public struct HybridCompletion: Sendable, Hashable {
    /// The complete answer, as appended to the history.
    public let message: LeapSDKTypes.ChatMessage
    /// The side that answered, and why.
    public let route: HybridRoute
    /// The reason why the generation ended.
    public let ending: GenerationEnding
    /// The statistics. For a remote answer, token counts come from the server and times are measured here; `nil` if the
    /// server reports none.
    public let stats: GenerationStats?
    /// The token counts of a remote answer, if the server reports them.
    public let usage: Usage?
    /// The reason why a remote answer ended, as the server states it.
    public let finishReason: String?

    /// Creates a completion.
    public init(
        message: LeapSDKTypes.ChatMessage, route: HybridRoute, ending: GenerationEnding, stats: GenerationStats?,
        usage: Usage? = nil,
        finishReason: String? = nil
    ) {
        self.message = message
        self.route = route
        self.ending = ending
        self.stats = stats
        self.usage = usage
        self.finishReason = finishReason
    }
}

/// The responses of a ``HybridConversation``; ends with ``HybridResponse/complete(_:)`` or throws a ``HybridError``.
public typealias HybridStream = AsyncThrowingStream<HybridResponse, any Error>
