import LeapEngine

/// One or more tool calls that an answer is forced to consist of.
struct ForcedCall: Sendable {
    /// The functions to choose from.
    let tools: [Tool]
}
