/// The memory that a model takes with a given context size, computed before anything is allocated.
public struct ModelMemoryPlan: Sendable, Hashable {
    /// The context, in tokens of prompt and answer together.
    public let contextSize: Int
    /// Bytes of weights: mapped from the file, shared between processes, and returned to the system under pressure.
    public let weightBytes: Int
    /// Bytes of the state (keys, values and others) of one generation with a full context. Allocated as the context fills.
    public let stateBytes: Int
    /// Bytes of intermediate results.
    public let scratchBytes: Int
    /// Bytes that the process could take at the time of asking.
    public let availableBytes: Int
    /// The largest context that fits into those.
    public let largestContextSize: Int

    /// Describes a plan.
    public init(
        contextSize: Int, weightBytes: Int, stateBytes: Int, scratchBytes: Int, availableBytes: Int,
        largestContextSize: Int
    ) {
        self.contextSize = contextSize
        self.weightBytes = weightBytes
        self.stateBytes = stateBytes
        self.scratchBytes = scratchBytes
        self.availableBytes = availableBytes
        self.largestContextSize = largestContextSize
    }

    /// Memory of the process's own: all but the weights.
    public var privateBytes: Int { stateBytes + scratchBytes }

    /// Whether there is memory for it.
    public var fits: Bool { privateBytes <= availableBytes }
}
