/// The progress of processing a prompt.
public struct PromptProgress: Sendable, Hashable {
    /// The number of tokens processed or found in the cache.
    public let tokensRead: Int
    /// The number of tokens in the prompt.
    public let promptTokens: Int

    /// Creates a progress value.
    public init(tokensRead: Int, promptTokens: Int) {
        self.tokensRead = tokensRead
        self.promptTokens = promptTokens
    }

    /// The processed fraction, from 0 to 1.
    public var fraction: Double { promptTokens > 0 ? Double(tokensRead) / Double(promptTokens) : 1 }
}
