import LeapModels
import LeapOps

extension LoadedModel {
    /// What a context of a size takes of memory.
    ///
    /// - Throws: ``LeapError/generationFailure(_:_:)`` for a size that the model does not have.
    func memoryPlan(contextSize: Int) throws(LeapError) -> ModelMemoryPlan {
        let available = SystemMemory.available
        do {
            let plan = try weights.memoryPlan(contextSize: contextSize, compute)
            return ModelMemoryPlan(
                contextSize: plan.contextSize, weightBytes: plan.weightBytes, stateBytes: plan.stateBytes,
                scratchBytes: plan.scratchBytes, availableBytes: available,
                largestContextSize: try weights.largestContext(within: available, compute))
        } catch { throw .generating(error) }
    }
}

extension LanguageModel {
    /// The context to use: the one asked for, or else the model's, if there is memory for it, or else the largest for which
    /// there is.
    ///
    /// - Throws: ``LeapError/modelLoadingFailure(_:_:)`` where there is no memory for the context asked for, naming the
    ///   largest that fits.
    func contextSize(_ asked: Int?, within bytes: Int, _ compute: Compute) throws -> Int {
        let contextSize = asked ?? configuration.contextLength
        let plan = try memoryPlan(contextSize: contextSize, compute)
        guard plan.privateBytes > bytes else { return contextSize }
        let largest = try largestContext(within: bytes, compute)
        if asked == nil, largest > 0 { return largest }
        throw LeapError.modelLoadingFailure(
            "a context of \(contextSize) tokens takes \(plan.privateBytes) bytes of memory, but only \(bytes) are "
                + "available: use a context of at most \(largest) tokens, or free memory", nil)
    }

    /// What the states of all generations may take together: half of what the weights leave of the memory, because the rest
    /// of the app and the cache of prompts need some too, but at least what one context of a size takes.
    func stateBytes(contextSize: Int, within bytes: Int) -> Int {
        max(stateBytes(positions: contextSize), (bytes - weightBytes) / 2)
    }
}
