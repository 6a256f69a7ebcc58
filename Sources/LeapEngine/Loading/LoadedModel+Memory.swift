public import LeapModels
import LeapOps

extension LoadedModel {
    /// What a context of a size takes of memory.
    ///
    /// - Throws: `ModelError` for a size that the model does not have.
    public func memoryPlan(contextSize: Int) throws(ModelError) -> MemoryPlan {
        try weights.memoryPlan(contextSize: contextSize, compute)
    }

    /// The largest context for which there is memory; 0 where there is none.
    public func largestContext(within bytes: Int) throws(ModelError) -> Int {
        try weights.largestContext(within: bytes, compute)
    }
}

extension LanguageModel {
    /// The context to use: the one asked for, or else the model's, if there is memory for it, or else the largest for which
    /// there is.
    ///
    /// - Throws: ``EngineError/contextDoesNotFit`` where there is no memory for the context asked for, naming the largest
    ///   that fits.
    func contextSize(_ asked: Int?, within bytes: Int, _ compute: Compute) throws -> Int {
        let contextSize = asked ?? configuration.contextLength
        let plan = try memoryPlan(contextSize: contextSize, compute)
        guard plan.privateBytes > bytes else { return contextSize }
        let largest = try largestContext(within: bytes, compute)
        if asked == nil, largest > 0 { return largest }
        throw EngineError.contextDoesNotFit(
            contextSize: contextSize, bytes: plan.privateBytes, available: bytes, largest: largest)
    }

    /// What the states of all generations may take together: half of what the weights leave of the memory, because the rest
    /// of the app and the cache of prompts need some too, but at least what one context of a size takes.
    func stateBytes(contextSize: Int, within bytes: Int) -> Int {
        max(stateBytes(positions: contextSize), (bytes - weightBytes) / 2)
    }
}
