import LeapGeneration
import LeapTokenizer

extension SamplerConfiguration {
    /// This configuration, changed by the parameters given when the model was loaded.
    func overridden(by parameters: SamplingParameters?) -> SamplerConfiguration {
        var result = self
        if let value = parameters?.temperature { result.temperature = Float(value) }
        if let value = parameters?.topK { result.topK = value }
        if let value = parameters?.topP { result.topP = Float(value) }
        if let value = parameters?.minP { result.minP = Float(value) }
        if let value = parameters?.repetitionPenalty { result.repetitionPenalty = Float(value) }
        return result
    }

    /// This configuration, changed by the options of one generation.
    ///
    /// - Parameter breakers: Finds DRY's sequence breakers in the vocabulary.
    func overridden(
        by options: GenerationOptions.Values, breakers: (_ texts: [String]) -> Set<Token>
    ) -> SamplerConfiguration {
        var result = self
        if let value = options.temperature { result.temperature = value }
        if let value = options.topK { result.topK = value }
        if let value = options.topP { result.topP = value }
        if let value = options.minP { result.minP = value }
        if let value = options.typicalP { result.typicalP = value }
        if let value = options.topNSigma { result.topNSigma = value }
        if let value = options.repetitionPenalty { result.repetitionPenalty = value }
        if let value = options.penaltyWindow { result.penaltyWindow = value }
        if let value = options.frequencyPenalty { result.frequencyPenalty = value }
        if let value = options.presencePenalty { result.presencePenalty = value }
        for (token, bias) in options.logitBias { result.logitBias[Token(truncatingIfNeeded: token)] = bias }
        if let xtc = options.xtc { (result.xtcProbability, result.xtcThreshold) = (xtc.probability, xtc.threshold) }
        if let mirostat = options.mirostat {
            result.mirostat = MirostatSettings(
                version: mirostat.version == .v1 ? .v1 : .v2, target: mirostat.target,
                learningRate: mirostat.learningRate)
        }
        if let dry = options.dry {
            result.dry = DRYSettings(
                multiplier: dry.multiplier, base: dry.base, allowedLength: dry.allowedLength,
                window: dry.window ?? .max,
                breakers: dry.multiplier == 0 ? [] : breakers(dry.sequenceBreakers))
        }
        return result
    }
}
