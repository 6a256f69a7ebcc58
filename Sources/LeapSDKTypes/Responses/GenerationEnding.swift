/// Why a generation ended, exactly.
public enum GenerationEnding: String, Sendable, Hashable, Codable, CaseIterable {
    /// The model ended its answer.
    case endOfTurn
    /// As many tokens as were asked for are generated.
    case maximumTokens
    /// As many tokens as were asked for are generated, and what there is does not satisfy the constraint yet.
    case maximumTokensInConstraint
    /// Prompt and answer fill the context.
    case contextFull
    /// The caller stopped it. The message holds what there was, but the conversation's history does not.
    case interrupted
    /// Another generation of the same conversation was running, so nothing was generated.
    case busy
}
