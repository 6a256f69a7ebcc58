public import LeapGeneration
import LeapTokenizer

/// What a request changes of how a model's tokens are drawn. What is `nil` stays as the model's makers recommend.
public struct SamplingOverrides: Sendable, Hashable {
    /// Divides the logits; see `SamplerConfiguration` for this and what follows.
    public var temperature: Float?
    /// Keeps the k likeliest tokens.
    public var topK: Int?
    /// Keeps the fewest likeliest tokens of this mass.
    public var topP: Float?
    /// Keeps tokens at least this times as probable as the best.
    public var minP: Float?
    /// Keeps the tokens that surprise about as much as expected, up to this mass.
    public var typicalP: Float?
    /// Keeps tokens up to this many standard deviations below the best.
    public var topNSigma: Float?
    /// Divides positive and multiplies negative logits of recent tokens.
    public var repetitionPenalty: Float?
    /// Subtracted from a recent token's logit, per occurrence.
    public var frequencyPenalty: Float?
    /// Subtracted from a recent token's logit, once.
    public var presencePenalty: Float?
    /// How many of the latest tokens the penalties look at.
    public var penaltyWindow: Int?
    /// Added to the logits of tokens, by their numbers.
    public var logitBias: [Int: Float] = [:]
    /// Makes tokens less likely that would continue a repetition. Its breakers are the tokens of ``sequenceBreakers``.
    public var dry: DRYSettings?
    /// Texts across which nothing counts as a repetition.
    public var sequenceBreakers = Self.defaultSequenceBreakers
    /// How often the likeliest tokens are left out.
    public var xtcProbability: Float?
    /// What counts as likely for that.
    public var xtcThreshold: Float?
    /// Holds the surprise of the text near a target.
    public var mirostat: MirostatSettings?

    /// The sequence breakers of DRY's author.
    public static let defaultSequenceBreakers = ["\n", ":", "\"", "*"]

    /// No change.
    public init() {}

    /// These changes, completed by those of a base.
    public func over(_ base: SamplingOverrides) -> SamplingOverrides {
        var result = base
        if let temperature { result.temperature = temperature }
        if let topK { result.topK = topK }
        if let topP { result.topP = topP }
        if let minP { result.minP = minP }
        if let typicalP { result.typicalP = typicalP }
        if let topNSigma { result.topNSigma = topNSigma }
        if let repetitionPenalty { result.repetitionPenalty = repetitionPenalty }
        if let frequencyPenalty { result.frequencyPenalty = frequencyPenalty }
        if let presencePenalty { result.presencePenalty = presencePenalty }
        if let penaltyWindow { result.penaltyWindow = penaltyWindow }
        if let xtcProbability { result.xtcProbability = xtcProbability }
        if let xtcThreshold { result.xtcThreshold = xtcThreshold }
        if let mirostat { result.mirostat = mirostat }
        if let dry { (result.dry, result.sequenceBreakers) = (dry, sequenceBreakers) }
        result.logitBias.merge(logitBias) { _, own in own }
        return result
    }

    /// The changes made to a configuration.
    ///
    /// - Parameter breakers: The tokens that contain one of some texts.
    func applied(
        to recommended: SamplerConfiguration, breakers: (_ texts: [String]) -> Set<Token>
    ) -> SamplerConfiguration {
        var result = recommended
        set(&result.temperature, temperature)
        set(&result.topK, topK)
        set(&result.topP, topP)
        set(&result.minP, minP)
        set(&result.typicalP, typicalP)
        set(&result.topNSigma, topNSigma)
        set(&result.repetitionPenalty, repetitionPenalty)
        set(&result.frequencyPenalty, frequencyPenalty)
        set(&result.presencePenalty, presencePenalty)
        set(&result.penaltyWindow, penaltyWindow)
        set(&result.xtcProbability, xtcProbability)
        set(&result.xtcThreshold, xtcThreshold)
        set(&result.mirostat, mirostat)
        for (token, bias) in logitBias { result.logitBias[Token(truncatingIfNeeded: token)] = bias }
        guard var dry else { return result }
        dry.breakers = dry.multiplier == 0 ? [] : breakers(sequenceBreakers)
        result.dry = dry
        return result
    }

    private func set<Value>(_ value: inout Value, _ override: Value?) {
        if let override { value = override }
    }
}
