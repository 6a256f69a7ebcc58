import LeapEngine

/// A call, or several, that an answer must be, whatever the model would rather say.
struct ForcedCall: Sendable {
    /// The functions of which some are called.
    let tools: [Tool]
}
