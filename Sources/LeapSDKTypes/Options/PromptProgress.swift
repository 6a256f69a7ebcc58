/// How far the model has come in reading a prompt.
public struct PromptProgress: Sendable, Hashable {
    /// Tokens read, or known from prompts before.
    public let tokensRead: Int
    /// Tokens of the prompt.
    public let promptTokens: Int

    /// Describes progress.
    public init(tokensRead: Int, promptTokens: Int) {
        self.tokensRead = tokensRead
        self.promptTokens = promptTokens
    }

    /// The share that is read, 0 to 1.
    public var fraction: Double { promptTokens > 0 ? Double(tokensRead) / Double(promptTokens) : 1 }
}
