import ArgumentParser
import LeapEngine
import LeapGeneration
import LeapToolSupport

/// Filters and penalties of sampling that are less common, with llama.cpp's flags.
struct FilterFlags: ParsableArguments {
    @Option(
        name: [.customLong("typical-p"), .customLong("typical")], parsing: .unconditional,
        help: "Keep the most typical tokens up to this cumulative probability; 1: all.")
    var typicalP: Float?

    @Option(
        name: [.customLong("top-n-sigma"), .customLong("top-nsigma")], parsing: .unconditional,
        help: "Keep tokens whose logits are within this many standard deviations of the highest; 0 or less: all.")
    var topNSigma: Float?

    @Option(
        parsing: .unconditional,
        help: "Number of recent tokens that are penalised; 0: none, -1: all (default: the model's, usually 64).")
    var repeatLastN: Int?

    @Option(parsing: .unconditional, help: "Subtract this from a recent token's logit for each occurrence; 0: off.")
    var frequencyPenalty: Float?

    @Option(parsing: .unconditional, help: "Subtract this from a recent token's logit once; 0: off.")
    var presencePenalty: Float?

    @Option(
        parsing: .unconditional,
        help: "DRY: subtract this from the logit of a token that continues a repetition; 0: off.")
    var dryMultiplier: Float?

    @Option(parsing: .unconditional, help: "DRY: multiply the penalty by this for each further token of a repetition.")
    var dryBase: Float = 1.75

    @Option(parsing: .unconditional, help: "DRY: repetitions shorter than this are not penalised.")
    var dryAllowedLength = 2

    @Option(parsing: .unconditional, help: "DRY: number of recent tokens to search for repetitions (-1: all).")
    var dryPenaltyLastN = -1

    @Option(
        parsing: .unconditionalSingleValue,
        help: "DRY: a text that ends a repetition; may be repeated, 'none' for none (default: \\n : \" *).")
    var drySequenceBreaker: [String] = []

    @Option(parsing: .unconditional, help: "XTC: probability of removing the most likely tokens, 0 to 1; 0: never.")
    var xtcProbability: Float?

    @Option(
        parsing: .unconditional,
        help: "XTC: remove tokens with at least this probability, except the least likely of them.")
    var xtcThreshold: Float = 0.1

    func validate() throws {
        if dryPenaltyLastN < -1 {
            throw ValidationError("--dry-penalty-last-n must be -1 or more, not \(dryPenaltyLastN).")
        }
        try SettingRange.fromZero.check("--dry-multiplier", dryMultiplier)
        try SettingRange.fromOne.check("--dry-base", dryBase)
        try SettingRange.share.check("--typical-p", typicalP)
        try SettingRange.number.check("--top-n-sigma", topNSigma)
        if let repeatLastN, repeatLastN < -1 {
            throw ValidationError("--repeat-last-n must be -1 or more, not \(repeatLastN).")
        }
        try SettingRange.share.check("--xtc-probability", xtcProbability)
        try SettingRange.share.check("--xtc-threshold", xtcThreshold)
    }

    /// The given flags of the steps that choose a token, without those that turn theirs off.
    var givenSamplers: [GivenSampler] {
        [
            GivenSampler("--typical-p", .typicalP, typicalP, off: 1),
            GivenSampler("--top-n-sigma", .topNSigma, topNSigma.map { max($0, 0) }, off: 0),
            GivenSampler("--xtc-probability", .xtc, xtcProbability, off: 0),
            GivenSampler("--repeat-last-n", .penalties, repeatLastN, off: 0),
            GivenSampler("--frequency-penalty", .penalties, frequencyPenalty, off: 0),
            GivenSampler("--presence-penalty", .penalties, presencePenalty, off: 0),
            GivenSampler("--dry-multiplier", .dry, dryMultiplier, off: 0),
            GivenSampler("--dry-sequence-breaker", .dry, !drySequenceBreaker.isEmpty),
        ].compactMap(\.self)
    }

    /// Applies the flags to a generation.
    func apply(to sampling: inout SamplingOverrides) {
        sampling.typicalP = typicalP
        sampling.topNSigma = topNSigma
        sampling.penaltyWindow = repeatLastN.map { $0 < 0 ? .max : $0 }
        sampling.frequencyPenalty = frequencyPenalty
        sampling.presencePenalty = presencePenalty
        sampling.dry = dryMultiplier.map {
            DRYSettings(
                multiplier: $0, base: dryBase, allowedLength: dryAllowedLength,
                window: dryPenaltyLastN < 0 ? .max : dryPenaltyLastN)
        }
        if !drySequenceBreaker.isEmpty { sampling.sequenceBreakers = drySequenceBreaker.filter { $0 != "none" } }
        if let xtcProbability { (sampling.xtcProbability, sampling.xtcThreshold) = (xtcProbability, xtcThreshold) }
    }
}
