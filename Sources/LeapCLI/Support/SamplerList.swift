import ArgumentParser
import LeapEngine

/// The steps that choose a token, by llama.cpp's names. Steps that are not listed are off.
///
/// The order of the steps is fixed, so a list in another order is rejected.
struct SamplerList {
    /// A step; the cases are in order of execution.
    enum Step: Int, CaseIterable {
        case penalties, dry, topNSigma, topK, typicalP, topP, minP, xtc, temperature

        /// Its names; the first one is the usual one.
        var names: [String] {
            switch self {
            case .penalties: ["penalties"]
            case .dry: ["dry"]
            case .topNSigma: ["top_n_sigma", "top-n-sigma"]
            case .topK: ["top_k", "top-k"]
            case .typicalP: ["typ_p", "typ-p", "typical", "typical-p", "typical_p"]
            case .topP: ["top_p", "top-p", "nucleus"]
            case .minP: ["min_p", "min-p"]
            case .xtc: ["xtc"]
            case .temperature: ["temperature", "temp"]
            }
        }

        /// Its letter in a short list.
        var letter: Character {
            switch self {
            case .penalties: "e"
            case .dry: "d"
            case .topNSigma: "s"
            case .topK: "k"
            case .typicalP: "y"
            case .topP: "p"
            case .minP: "m"
            case .xtc: "x"
            case .temperature: "t"
            }
        }

        /// Whether it removes tokens.
        var isFilter: Bool { ![.penalties, .dry, .temperature].contains(self) }

        fileprivate func turnOff(_ sampling: inout SamplingOverrides) {
            switch self {
            case .penalties:
                (sampling.repetitionPenalty, sampling.frequencyPenalty, sampling.presencePenalty) = (1, 0, 0)
            case .dry: sampling.dry = nil
            case .topNSigma: sampling.topNSigma = 0
            case .topK: sampling.topK = 0
            case .typicalP: sampling.typicalP = 1
            case .topP: sampling.topP = 1
            case .minP: sampling.minP = 0
            case .xtc: sampling.xtcProbability = nil
            case .temperature: sampling.temperature = 1
            }
        }
    }

    private let steps: [Step]

    /// Parses names separated by semicolons, as in `top_k;temperature`.
    init(names: String) throws(ValidationError) {
        let steps = names.lowercased().split(separator: ";").map { name in
            Step.allCases.first { $0.names.contains(String(name)) }
        }
        guard let list = Self(steps) else {
            throw ValidationError("The names must be some of \(Self.everything), in this order.")
        }
        self = list
    }

    /// Parses letters, as in `kt`.
    init(letters: String) throws(ValidationError) {
        guard let list = Self(letters.map { letter in Step.allCases.first { $0.letter == letter } }) else {
            throw ValidationError("The letters must be some of \(Self.letters), in this order.")
        }
        self = list
    }

    private init?(_ steps: [Step?]) {
        let known = steps.compactMap(\.self)
        guard known.count == steps.count, !known.isEmpty,
            zip(known, known.dropFirst()).allSatisfy({ $0.rawValue < $1.rawValue })
        else { return nil }
        self.steps = known
    }

    /// The complete list, as it is typed.
    static var everything: String { Step.allCases.map { $0.names[0] }.joined(separator: ";") }
    /// The same in letters.
    static var letters: String { String(Step.allCases.map(\.letter)) }

    /// Whether a step is listed.
    func contains(_ step: Step) -> Bool { steps.contains(step) }

    /// Turns off the steps that are not listed.
    func apply(to sampling: inout SamplingOverrides) {
        for step in Step.allCases where !contains(step) { step.turnOff(&sampling) }
    }
}

/// A flag on the command line, and the step to which it belongs.
struct GivenSampler {
    let flag: String
    let step: SamplerList.Step

    /// `nil` if the flag was not given.
    init?(_ flag: String, _ step: SamplerList.Step, _ isGiven: Bool) {
        guard isGiven else { return nil }
        (self.flag, self.step) = (flag, step)
    }

    /// `nil` if the flag was not given, or with the value that turns its step off.
    init?<Value: Equatable>(_ flag: String, _ step: SamplerList.Step, _ value: Value?, off: Value) {
        self.init(flag, step, value != nil && value != off)
    }
}

/// The list, in either of two notations.
struct SamplerListFlags: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The samplers, in order; those not listed are off (default: \(SamplerList.everything)).",
            valueName: "names"), transform: SamplerList.init(names:))
    private var samplers: SamplerList?

    @Option(
        name: [.customLong("sampler-seq"), .customLong("sampling-seq")],
        help: ArgumentHelp("The same, as letters (default: \(SamplerList.letters)).", valueName: "letters"),
        transform: SamplerList.init(letters:))
    private var letters: SamplerList?

    func validate() throws {
        if samplers != nil && letters != nil {
            throw ValidationError("Give either --samplers or --sampler-seq, not both.")
        }
    }

    /// Which of the given flags have no effect because the list omits their steps.
    func notes(on given: [GivenSampler]) -> [String] {
        guard let list = samplers ?? letters else { return [] }
        let name = samplers == nil ? "--sampler-seq" : "--samplers"
        return given.filter { !list.contains($0.step) }.map {
            "\($0.flag) has no effect: \(name) leaves out this sampler"
        }
    }

    /// Turns off the steps that the list omits, if there is one.
    func apply(to sampling: inout SamplingOverrides) { (samplers ?? letters)?.apply(to: &sampling) }
}
