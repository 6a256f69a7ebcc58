public import LeapTokenizer

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
    /// Keeps the fewest tokens whose information content is nearest to the entropy, and whose probabilities sum to at
    /// least this. 1 or more: all; 0 or less: the nearest.
    public var typicalP: Float
    /// Keeps tokens at most this many standard deviations of all logits below the best. 0 or less, or +∞: all.
    public var topNSigma: Float
    /// Divides positive and multiplies negative logits of recent tokens. 1: off; below 1 favours repetition.
    public var repetitionPenalty: Float
    /// Subtracted from a recent token's logit once per occurrence. 0: off.
    public var frequencyPenalty: Float
    /// Subtracted from a recent token's logit once. 0: off.
    public var presencePenalty: Float
    /// How many of the latest tokens the penalties look at. 0 or less: none.
    public var penaltyWindow: Int
    /// Added to the logits of certain tokens before anything else. -∞ excludes a token; +∞ leaves only such ones.
    public var logitBias: [Token: Float]
    /// Makes tokens that would continue a repetition less likely.
    public var dry: DRYSettings
    /// How often the likeliest tokens are left out, as ``xtcThreshold`` says. 0 or less: never; 1 or more: always.
    public var xtcProbability: Float
    /// Tokens at least this probable are left out, but for the least probable of them. Above 0.5: none.
    public var xtcThreshold: Float
    /// Holds the surprise of the text near a target, in the place of all filters.
    public var mirostat: MirostatSettings

    /// At this temperature or below, the draw is greedy: logits divided by less overflow for ordinary models.
    public static let greedyThreshold: Float = 1e-6

    /// The likeliest token, always.
    public static let greedy = SamplerConfiguration()

    /// Makes a configuration; what is left out is off.
    public init(
        temperature: Float = 0, topK: Int = 0, topP: Float = 1, minP: Float = 0, repetitionPenalty: Float = 1,
        frequencyPenalty: Float = 0, presencePenalty: Float = 0, penaltyWindow: Int = 64,
        logitBias: [Token: Float] = [:], dry: DRYSettings = DRYSettings(), xtcProbability: Float = 0,
        xtcThreshold: Float = 0.1, typicalP: Float = 1, topNSigma: Float = 0,
        mirostat: MirostatSettings = MirostatSettings()
    ) {
        self.temperature = temperature
        self.topK = topK
        self.topP = topP
        self.minP = minP
        self.repetitionPenalty = repetitionPenalty
        self.frequencyPenalty = frequencyPenalty
        self.presencePenalty = presencePenalty
        self.penaltyWindow = penaltyWindow
        self.logitBias = logitBias
        self.dry = dry
        self.xtcProbability = xtcProbability
        self.xtcThreshold = xtcThreshold
        self.typicalP = typicalP
        self.topNSigma = topNSigma
        self.mirostat = mirostat
    }

    /// Whether the likeliest token is always taken.
    public var isGreedy: Bool { temperature <= Self.greedyThreshold }

    /// Whether steps want to know how surprising the drawn tokens are.
    var controlsSurprise: Bool { mirostat.version != .off && !isGreedy }

    /// How many of the latest tokens the steps look at.
    var lookback: Int { max(penaltyWindow, dry.multiplier > 0 ? dry.window : 0, 0) }

    /// The steps in their order, which is llama.cpp's: those that change logits, those that narrow, the temperature.
    /// Probabilities that the filters see are those before the temperature. Mirostat takes the place of all filters, and
    /// sees probabilities after the temperature; the steps that change logits stay. A new step is one line here and one
    /// file in `Steps/`.
    var steps: [any SamplingStep] {
        let changes: [(any SamplingStep)?] = [
            LogitBias(logitBias),
            Penalties(self),
            DRY(dry),
        ]
        let filters: [(any SamplingStep)?] = [
            TopNSigma(topNSigma),
            TopK(topK),
            TypicalP(typicalP),
            TopP(topP),
            MinP(minP),
            XTC(probability: xtcProbability, threshold: xtcThreshold),
            Temperature(temperature),
        ]
        let control: [(any SamplingStep)?] = [Temperature(temperature), Mirostat(mirostat), Mirostat2(mirostat)]
        return (changes + (isGreedy ? [TopK(1)] : controlsSurprise ? control : filters)).compactMap { $0 }
    }

    /// Checks for settings that have no meaning.
    ///
    /// - Throws: ``SamplerError/invalidSetting(name:value:requirement:)`` for NaN anywhere, a repetition penalty that is
    ///   not a positive finite number, an infinite frequency or presence penalty, a DRY multiplier or base that would
    ///   favour repetitions, and a target or learning rate of mirostat below 0.
    public func validate() throws(SamplerError) {
        try Self.require(!temperature.isNaN, "temperature", temperature, "a number")
        try Self.require(!topP.isNaN, "top-p", topP, "a number")
        try Self.require(!minP.isNaN, "min-p", minP, "a number")
        try Self.require(!typicalP.isNaN, "typical-p", typicalP, "a number")
        try Self.require(!topNSigma.isNaN, "top-n-sigma", topNSigma, "a number")
        try Self.require(
            repetitionPenalty > 0 && repetitionPenalty.isFinite, "repetition penalty", repetitionPenalty,
            "a finite number above 0")
        try Self.require(frequencyPenalty.isFinite, "frequency penalty", frequencyPenalty, "a finite number")
        try Self.require(presencePenalty.isFinite, "presence penalty", presencePenalty, "a finite number")
        for (token, bias) in logitBias {
            try Self.require(!bias.isNaN, "logit bias of token \(token)", bias, "a number")
        }
        let isOff = dry.multiplier == 0
        try Self.require(
            dry.multiplier >= 0 && dry.multiplier.isFinite, "DRY multiplier", dry.multiplier,
            "a finite number of at least 0")
        try Self.require(
            isOff || dry.base >= 1 && dry.base.isFinite, "DRY base", dry.base, "a finite number of at least 1")
        try Self.require(!xtcProbability.isNaN, "XTC probability", xtcProbability, "a number")
        try Self.require(!xtcThreshold.isNaN, "XTC threshold", xtcThreshold, "a number")
        try Self.require(
            mirostat.target >= 0 && mirostat.target.isFinite, "mirostat target", mirostat.target,
            "a finite number of at least 0")
        try Self.require(
            mirostat.learningRate >= 0 && mirostat.learningRate.isFinite, "mirostat learning rate",
            mirostat.learningRate, "a finite number of at least 0")
    }

    private static func require(
        _ condition: Bool, _ name: String, _ value: Float, _ requirement: String
    ) throws(SamplerError) {
        guard condition else { throw .invalidSetting(name: name, value: value, requirement: requirement) }
    }
}
