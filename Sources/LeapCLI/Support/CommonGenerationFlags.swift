import ArgumentParser
import LeapEngine
import LeapToolSupport

/// The most common settings of answers, with llama.cpp's flags.
struct CommonGenerationFlags: ParsableArguments {
    @Option(
        name: [.customShort("n"), .customLong("predict"), .customLong("n-predict"), .customLong("max-tokens")],
        parsing: .unconditional,
        help: "Maximum number of tokens to generate (-1: no limit).")
    var predict = -1

    @Option(
        name: [.customLong("temp"), .customLong("temperature")], parsing: .unconditional,
        help: "Temperature; 0 takes the most likely token (default: the model's).")
    var temp: Float?

    @Option(parsing: .unconditional, help: "Keep the K most likely tokens; 0: all (default: the model's).")
    var topK: Int?

    @Option(
        parsing: .unconditional,
        help: "Keep the most likely tokens up to this cumulative probability; 1: all (default: the model's).")
    var topP: Float?

    @Option(
        parsing: .unconditional,
        help: "Keep tokens with at least this probability relative to the most likely; 0: all (default: the model's).")
    var minP: Float?

    @Option(parsing: .unconditional, help: "Divide the logits of recent tokens by this; 1: off (default: the model's).")
    var repeatPenalty: Float?

    @Option(
        name: [.short, .long], parsing: .unconditional,
        help: "Random seed (default: -1, a different one every time).")
    var seed: Seed?

    func validate() throws {
        if predict < -1 { throw ValidationError("-n must be -1 or more, not \(predict).") }
        try SettingRange.temperature.check("--temp", temp)
        try SettingRange.topP.check("--top-p", topP)
        try SettingRange.minP.check("--min-p", minP)
        try SettingRange.repeatPenalty.check("--repeat-penalty", repeatPenalty)
        if let topK, topK < 0 { throw ValidationError("--top-k must be 0 or more, not \(topK).") }
    }

    /// Applies the flags to a generation.
    func apply(to options: inout AnswerOptions) {
        options.sampling.temperature = temp
        options.sampling.topP = topP
        options.sampling.topK = topK
        options.sampling.minP = minP
        options.sampling.repetitionPenalty = repeatPenalty
        options.seed = seed?.value
        if predict >= 0 { options.maxTokens = predict }
    }

    /// The given flags of the steps that choose a token.
    var givenSamplers: [GivenSampler] {
        [
            GivenSampler("--temp", .temperature, temp, off: 1), GivenSampler("--top-k", .topK, topK, off: 0),
            GivenSampler("--top-p", .topP, topP, off: 1), GivenSampler("--min-p", .minP, minP, off: 0),
            GivenSampler("--repeat-penalty", .penalties, repeatPenalty, off: 1),
        ].compactMap(\.self)
    }
}

/// A seed as the user types it: a number, or -1 for a different one every time.
struct Seed: ExpressibleByArgument {
    let value: UInt64?

    init?(argument: String) {
        value = UInt64(argument)
        if value == nil && argument != "-1" { return nil }
    }
}
