/// What a generation cost.
public struct GenerationStatistics: Sendable, Hashable {
    /// Tokens of the prompt.
    public var promptTokens = 0
    /// Tokens of the prompt that were not computed anew.
    public var cachedPromptTokens = 0
    /// Tokens generated, without the one that ended the answer.
    public var completionTokens = 0
    /// Passes of one token through the model.
    public var decodePasses = 0
    /// From the start to the first token.
    public var timeToFirstToken = Duration.zero
    /// From the first token to the end.
    public var decodeDuration = Duration.zero

    /// Statistics of nothing.
    public init() {}

    /// Tokens of prompt and answer.
    public var totalTokens: Int { promptTokens + completionTokens }

    /// Prompt tokens computed per second; 0 where nothing was.
    public var prefillTokensPerSecond: Double {
        Self.rate(promptTokens - cachedPromptTokens, timeToFirstToken)
    }

    /// Tokens decoded per second after the first; 0 where nothing was.
    public var decodeTokensPerSecond: Double { Self.rate(decodePasses, decodeDuration) }

    private static func rate(_ count: Int, _ duration: Duration) -> Double {
        let seconds = duration / .seconds(1)
        return seconds > 0 ? Double(count) / seconds : 0
    }
}
