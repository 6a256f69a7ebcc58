/// Statistics of a generation.
public struct GenerationStats: Sendable, Hashable, Codable {
    /// The number of prompt tokens that were computed, without ``cachedPromptTokens``.
    public var promptTokens: UInt64
    /// The number of generated tokens, including reasoning.
    public var completionTokens: UInt64
    /// The sum of ``promptTokens`` and ``completionTokens``.
    public var totalTokens: UInt64
    /// The number of generated tokens per second, after the first one.
    public var tokenPerSecond: Float
    /// The number of prompt tokens found in the cache.
    public var cachedPromptTokens: UInt64
    /// The number of prompt tokens computed per second.
    public var promptTokenPerSecond: Float
    /// The time from the start to the first token, in seconds.
    public var timeToFirstToken: Double
    /// The reason why the generation ended; `nil` if unknown.
    public var ending: GenerationEnding?

    /// Creates statistics.
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
