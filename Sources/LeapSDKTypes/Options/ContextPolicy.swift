/// What to do when a conversation no longer fits into the context.
///
/// An extension of leap-swift; the vendor's SDK fails in this case. The conversation's history is never changed by a
/// policy, only what the model is shown.
public enum ContextPolicy: Sendable {
    /// The generation fails with ``LeapError/promptExceedContextLengthFailure(_:_:)``.
    case fail
    /// Drops the oldest turns. A turn is a user's message with everything up to the next one, so that function calls
    /// are never separated from their results. The system prompt and the last turn are kept; if those alone are too
    /// long, the generation fails.
    ///
    /// More is dropped than the next answer needs, so that the beginning of the prompt stays the same for several turns
    /// and can be read from the prefix cache.
    ///
    /// - Parameter notify: Called before the answer is generated, with the dropped messages.
    case dropOldestTurns(notify: (@Sendable ([ChatMessage]) -> Void)? = nil)
    /// The app decides what the model is shown. The closure is called until the messages it returns fit, at most ten
    /// times.
    case custom(@Sendable (ContextOverflow) throws -> [ChatMessage])
}

/// A conversation that does not fit into the context.
public struct ContextOverflow: Sendable {
    /// The messages that do not fit.
    public let messages: [ChatMessage]
    /// The number of tokens in the prompt for these messages.
    public let promptTokens: Int
    /// The maximum number of tokens in the prompt that leaves room for an answer.
    public let limit: Int

    /// Creates a description of an overflow.
    public init(messages: [ChatMessage], promptTokens: Int, limit: Int) {
        self.messages = messages
        self.promptTokens = promptTokens
        self.limit = limit
    }
}
