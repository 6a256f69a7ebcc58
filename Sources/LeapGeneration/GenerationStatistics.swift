/// What a generation cost.
public struct GenerationStatistics: Sendable, Hashable {
    /// Tokens of the prompt.
    public var promptTokens = 0
    /// Tokens of the prompt that were not computed anew.
    public var cachedPromptTokens = 0
    /// Tokens of the prompt that were computed: all others, unless the generation ended before they were.
    public var computedPromptTokens = 0
    /// Tokens generated, without the one that ended the answer.
    public var completionTokens = 0
    /// Tokens of thoughts among them.
    public var reasoningTokens = 0
    /// Tokens drawn after the first, with the one that ended the answer.
    public var decodeSteps = 0
    /// Tokens drafted from earlier text or by a draft model, and verified in the same pass as the token before them.
    public var draftedTokens = 0
    /// Drafted tokens that were right, and so needed no pass of their own.
    public var acceptedTokens = 0
    /// From the start to the first token.
    public var timeToFirstToken = Duration.zero
    /// From the first token to the end.
    public var decodeDuration = Duration.zero

    /// Statistics of nothing.
    public init() {}

    /// Tokens of prompt and answer.
    public var totalTokens: Int { promptTokens + completionTokens }

    /// Prompt tokens computed per second; 0 if none were.
    public var prefillTokensPerSecond: Double {
        Self.rate(computedPromptTokens, timeToFirstToken)
    }

    /// Tokens decoded per second after the first; 0 if none were.
    public var decodeTokensPerSecond: Double { Self.rate(decodeSteps, decodeDuration) }

    private static func rate(_ count: Int, _ duration: Duration) -> Double {
        let seconds = duration / .seconds(1)
        return seconds > 0 ? Double(count) / seconds : 0
    }
}
