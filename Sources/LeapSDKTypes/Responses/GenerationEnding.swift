/// The exact reason why a generation ended.
public enum GenerationEnding: String, Sendable, Hashable, Codable, CaseIterable {
    /// The model ended its answer, or wrote a stop string.
    case endOfTurn
    /// The maximum number of tokens was generated.
    case maximumTokens
    /// The maximum number of tokens was generated before the answer satisfied its constraint.
    case maximumTokensInConstraint
    /// The context is full.
    case contextFull
    /// The caller stopped the generation. The message contains the text generated so far; the conversation's history
    /// does not.
    case interrupted
    /// Nothing was generated, because another generation of the same conversation was running.
    case busy
}
