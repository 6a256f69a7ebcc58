public import LeapModels
import LeapOps

extension LoadedModel {
    /// What a context takes of memory.
    ///
    /// - Parameter contextSize: The size in tokens.
    /// - Throws: `ModelError` for a size that the model does not have.
    public func memoryPlan(contextSize: Int) throws(ModelError) -> MemoryPlan {
        try weights.memoryPlan(contextSize: contextSize, compute)
    }

    /// The largest context, in tokens, that fits into some bytes of memory; 0 if none does.
    ///
    /// - Throws: As ``memoryPlan(contextSize:)``.
    public func largestContext(within bytes: Int) throws(ModelError) -> Int {
        try weights.largestContext(within: bytes, compute)
    }
}

extension LanguageModel {
    /// The context size to use: the requested one; without one, the model's own, or the largest that fits into memory.
    ///
    /// - Throws: ``EngineError/contextDoesNotFit`` if there is not enough memory for the requested context, naming the
    ///   largest that fits.
    func contextSize(_ asked: Int?, within bytes: Int, _ compute: Compute) throws -> Int {
        let contextSize = asked ?? configuration.contextLength
        let plan = try memoryPlan(contextSize: contextSize, compute)
        guard plan.privateBytes > bytes else { return contextSize }
        let largest = try largestContext(within: bytes, compute)
        if asked == nil, largest > 0 { return largest }
        throw EngineError.contextDoesNotFit(
            contextSize: contextSize, bytes: plan.privateBytes, available: bytes, largest: largest)
    }

    /// The bytes that the states of all generations may take together: half of the memory that the weights leave,
    /// because the prefix cache and the rest of the app need some too; but at least the bytes of one context of the
    /// given size.
    func stateBytes(contextSize: Int, within bytes: Int) -> Int {
        max(stateBytes(positions: contextSize), (bytes - weightBytes) / 2)
    }
}
