/// The memory that a model takes, in bytes; known before anything is allocated.
public struct MemoryPlan: Sendable, Hashable {
    /// The context that the plan is for, in tokens.
    public let contextSize: Int
    /// Weights: mapped from the file, shared between processes, and returned to the system under pressure.
    public let weightBytes: Int
    /// Keys, values and convolution states of one sequence that fills the context.
    public let stateBytes: Int
    /// Activations of one pass.
    public let scratchBytes: Int

    /// This process's own memory: state and scratch.
    public var privateBytes: Int { stateBytes + scratchBytes }
}
