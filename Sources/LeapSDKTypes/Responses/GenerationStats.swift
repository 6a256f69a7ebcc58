/// What a generation cost.
public struct GenerationStats: Sendable, Hashable, Codable {
    /// Tokens of the prompt that were computed, without those of ``cachedPromptTokens``.
    public var promptTokens: UInt64
    /// Tokens of the answer and the thoughts before it.
    public var completionTokens: UInt64
    /// ``promptTokens`` and ``completionTokens``.
    public var totalTokens: UInt64
    /// Tokens of the answer per second, after the first.
    public var tokenPerSecond: Float
    /// Tokens of the prompt that a cache provided.
    public var cachedPromptTokens: UInt64
    /// Tokens of the prompt computed per second.
    public var promptTokenPerSecond: Float
    /// Seconds from the start to the first token.
    public var timeToFirstToken: Double
    /// Why the generation ended; `nil` where nothing says.
    public var ending: GenerationEnding?

    /// Makes statistics.
    public init(
        promptTokens: UInt64, completionTokens: UInt64, totalTokens: UInt64, tokenPerSecond: Float,
        cachedPromptTokens: UInt64 = 0, promptTokenPerSecond: Float = 0, timeToFirstToken: Double = 0,
        ending: GenerationEnding? = nil
    ) {
        self.promptTokens = promptTokens
        self.completionTokens = completionTokens
        self.totalTokens = totalTokens
        self.tokenPerSecond = tokenPerSecond
        self.cachedPromptTokens = cachedPromptTokens
        self.promptTokenPerSecond = promptTokenPerSecond
        self.timeToFirstToken = timeToFirstToken
        self.ending = ending
    }
}
