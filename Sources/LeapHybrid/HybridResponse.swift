public import LeapOpenAIClient
public import LeapSDKTypes

/// What a ``HybridConversation`` delivers, whoever answers, in order; ``complete(_:)`` comes last.
public enum HybridResponse: Sendable, Hashable {
    /// Who is asked now. Comes a second time where the first side failed before its first token.
    case route(HybridRoute)
    /// Text of the answer.
    case chunk(String)
    /// Text of the model's thoughts.
    case reasoningChunk(String)
    /// Sound, as samples in -1...1, `sampleRate` of them per second.
    case audioSample(samples: [Float], sampleRate: Int)
    /// Functions that the model asks to call.
    case functionCall([LeapFunctionCall])
    /// The end.
    case complete(HybridCompletion)
}

/// Who is asked, and why.
public struct HybridRoute: Sendable, Hashable {
    /// Who.
    public let side: HybridSide
    /// Why, in words for logs.
    public let reason: String
    /// How the other side failed before, if it did.
    public let failure: String?

    /// Makes a route.
    public init(side: HybridSide, reason: String, failure: String? = nil) {
        self.side = side
        self.reason = reason
        self.failure = failure
    }
}

/// The end of an answer.
public struct HybridCompletion: Sendable, Hashable {
    /// The complete answer, as in the history.
    public let message: LeapSDKTypes.ChatMessage
    /// Who answered, and why.
    public let route: HybridRoute
    /// Why it ended.
    public let ending: GenerationEnding
    /// The statistics. For a remote answer, token counts come from the server and times are measured here; `nil` if the
    /// server reports none.
    public let stats: GenerationStats?
    /// A remote answer's token counts, where the server sends them.
    public let usage: Usage?
    /// Why a remote answer ended, in the server's word.
    public let finishReason: String?

    /// Makes an end.
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

/// What a ``HybridConversation`` delivers; ends with ``HybridResponse/complete(_:)`` or throws ``HybridError``.
public typealias HybridStream = AsyncThrowingStream<HybridResponse, any Error>
