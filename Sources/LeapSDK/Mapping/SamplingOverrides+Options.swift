import LeapEngine
import LeapGeneration

extension SamplingOverrides {
    /// The overrides in the parameters given at load time.
    init(_ parameters: SamplingParameters?) {
        self.init()
        temperature = parameters?.temperature.map { Float($0) }
        topK = parameters?.topK
        topP = parameters?.topP.map { Float($0) }
        minP = parameters?.minP.map { Float($0) }
        repetitionPenalty = parameters?.repetitionPenalty.map { Float($0) }
    }

    /// The overrides in the options of a generation.
    init(_ options: GenerationOptions.Values) {
        self.init()
        temperature = options.temperature
        topK = options.topK
        topP = options.topP
        minP = options.minP
        typicalP = options.typicalP
        topNSigma = options.topNSigma
        repetitionPenalty = options.repetitionPenalty
        penaltyWindow = options.penaltyWindow
        frequencyPenalty = options.frequencyPenalty
        presencePenalty = options.presencePenalty
        logitBias = options.logitBias
        xtcProbability = options.xtc?.probability
        xtcThreshold = options.xtc?.threshold
        mirostat = options.mirostat.map { MirostatSettings($0) }
        dry = options.dry.map { DRYSettings($0) }
        if let dry = options.dry { sequenceBreakers = dry.sequenceBreakers }
    }
}

extension MirostatSettings {
    init(_ mirostat: MirostatSampling) {
        self.init(
            version: mirostat.version == .v1 ? .v1 : .v2, target: mirostat.target,
            learningRate: mirostat.learningRate)
    }
}

extension DRYSettings {
    init(_ dry: DRYSampling) {
        self.init(
            multiplier: dry.multiplier, base: dry.base, allowedLength: dry.allowedLength, window: dry.window ?? .max)
    }
}
