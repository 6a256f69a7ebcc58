/// The memory that a model takes with a given context size, computed before anything is allocated.
public struct ModelMemoryPlan: Sendable, Hashable {
    /// The context size in tokens, for prompt and answer together.
    public let contextSize: Int
    /// The size of the weights in bytes. They are mapped from the file, shared between processes, and evicted by the
    /// system under memory pressure.
    public let weightBytes: Int
    /// The size in bytes of the state (keys, values and others) of one generation with a full context. Allocated as the
    /// context fills.
    public let stateBytes: Int
    /// The size of intermediate results in bytes.
    public let scratchBytes: Int
    /// The memory in bytes that was available to the process when the plan was made.
    public let availableBytes: Int
    /// The largest context size, in tokens, that fits into ``availableBytes``.
    public let largestContextSize: Int

    /// Creates a plan.
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

    /// The private memory of the process in bytes: everything except the weights.
    public var privateBytes: Int { stateBytes + scratchBytes }

    /// Whether the available memory suffices.
    public var fits: Bool { privateBytes <= availableBytes }
}
