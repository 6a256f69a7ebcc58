/// What happens when a conversation has outgrown the context.
///
/// An extension of ours: the vendor's SDK failed. The conversation's history stays whole whatever the policy does; only
/// what the model is shown becomes shorter.
public enum ContextPolicy: Sendable {
    /// The generation fails with ``LeapError/promptExceedContextLengthFailure(_:_:)``.
    case fail
    /// The oldest turns are left out: a question with everything up to the next one, so that no half of a function call
    /// remains. Instructions stay, and so does the last turn; where those alone are too long, the generation fails.
    ///
    /// More is dropped than the next answer needs, so that the beginning of the prompt, which the prefix cache knows, stays
    /// the same for some turns.
    ///
    /// - Parameter notify: Called before the answer with the messages that the model is not shown.
    case dropOldestTurns(notify: (@Sendable ([ChatMessage]) -> Void)? = nil)
    /// The app decides what the model is shown. It is asked until that fits, at most ten times.
    case custom(@Sendable (ContextOverflow) throws -> [ChatMessage])
}

/// A conversation that does not fit into the context.
public struct ContextOverflow: Sendable {
    /// What was to be shown to the model.
    public let messages: [ChatMessage]
    /// The tokens of the messages as a prompt.
    public let promptTokens: Int
    /// The most tokens that the prompt may have to leave room for an answer.
    public let limit: Int

    /// Describes an overflow.
    public init(messages: [ChatMessage], promptTokens: Int, limit: Int) {
        self.messages = messages
        self.promptTokens = promptTokens
        self.limit = limit
    }
}
