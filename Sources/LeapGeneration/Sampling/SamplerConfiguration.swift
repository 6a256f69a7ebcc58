/// How tokens are drawn. The default is greedy: the likeliest token, always.
///
/// Every value is defined: a filter outside its range is off or keeps only the best token, as each property says. Only
/// settings that have no meaning at all are refused, by ``validate()``.
public struct SamplerConfiguration: Sendable, Hashable {
    /// Divides the logits. At ``greedyThreshold`` or below the likeliest token is taken; +∞ draws evenly.
    public var temperature: Float
    /// Keeps the k likeliest tokens. 0 or less, or at least the vocabulary's size: all of them.
    public var topK: Int
    /// Keeps the fewest likeliest tokens whose probabilities sum to at least this. 1 or more: all; 0 or less: the best.
    public var topP: Float
    /// Keeps tokens at least this times as probable as the best. 0 or less: all; 1 or more: only the best.
    public var minP: Float
    /// Divides positive and multiplies negative logits of recent tokens. 1: off; below 1 favours repetition.
    public var repetitionPenalty: Float
    /// Subtracted from a recent token's logit once per occurrence. 0: off.
    public var frequencyPenalty: Float
    /// Subtracted from a recent token's logit once. 0: off.
    public var presencePenalty: Float
    /// How many of the latest tokens the penalties look at. 0 or less: none.
    public var penaltyWindow: Int

    /// At this temperature or below, the draw is greedy: logits divided by less overflow for ordinary models.
    public static let greedyThreshold: Float = 1e-6

    /// The likeliest token, always.
    public static let greedy = SamplerConfiguration()

    /// Makes a configuration; what is left out is off.
    public init(
        temperature: Float = 0, topK: Int = 0, topP: Float = 1, minP: Float = 0, repetitionPenalty: Float = 1,
        frequencyPenalty: Float = 0, presencePenalty: Float = 0, penaltyWindow: Int = 64
    ) {
        self.temperature = temperature
        self.topK = topK
        self.topP = topP
        self.minP = minP
        self.repetitionPenalty = repetitionPenalty
        self.frequencyPenalty = frequencyPenalty
        self.presencePenalty = presencePenalty
        self.penaltyWindow = penaltyWindow
    }

    /// Whether the likeliest token is always taken.
    public var isGreedy: Bool { temperature <= Self.greedyThreshold }

    /// The steps in their order: penalties, top-k, top-p, min-p, temperature. This is llama.cpp's order; probabilities
    /// that the filters see are those before the temperature. A new step is one line here and one file in `Steps/`.
    var steps: [any SamplingStep] {
        let penalties: (any SamplingStep)? = Penalties(self)
        let filters: [(any SamplingStep)?] = [TopK(topK), TopP(topP), MinP(minP), Temperature(temperature)]
        let greedy: [(any SamplingStep)?] = [TopK(1)]
        return ([penalties] + (isGreedy ? greedy : filters)).compactMap { $0 }
    }

    /// Checks for settings that have no meaning.
    ///
    /// - Throws: ``SamplerError/invalidSetting(name:value:requirement:)`` for NaN anywhere, a repetition penalty that is
    ///   not a positive finite number, and an infinite frequency or presence penalty.
    public func validate() throws(SamplerError) {
        try Self.require(!temperature.isNaN, "temperature", temperature, "a number")
        try Self.require(!topP.isNaN, "top-p", topP, "a number")
        try Self.require(!minP.isNaN, "min-p", minP, "a number")
        try Self.require(
            repetitionPenalty > 0 && repetitionPenalty.isFinite, "repetition penalty", repetitionPenalty,
            "a finite number above 0")
        try Self.require(frequencyPenalty.isFinite, "frequency penalty", frequencyPenalty, "a finite number")
        try Self.require(presencePenalty.isFinite, "presence penalty", presencePenalty, "a finite number")
    }

    private static func require(
        _ condition: Bool, _ name: String, _ value: Float, _ requirement: String
    ) throws(SamplerError) {
        guard condition else { throw .invalidSetting(name: name, value: value, requirement: requirement) }
    }
}
