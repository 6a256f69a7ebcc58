import ArgumentParser
import LeapEngine

/// How tokens are chosen besides ``FilterFlags``, and which texts end an answer, with llama.cpp's flags.
struct SamplingFlags: ParsableArguments {
    @Option(
        name: [.customShort("l"), .long], parsing: .unconditionalSingleValue,
        help: "Add to a token's logit: ID+BIAS or ID-BIAS; ID-inf bans the token; may be repeated.")
    var logitBias: [TokenBias] = []

    @Option(
        name: [.customShort("r"), .customLong("stop"), .customLong("reverse-prompt")],
        parsing: .unconditionalSingleValue,
        help: "A stop string, which ends the answer; may be repeated.")
    var stop: [String] = []

    @Option(help: "Report the log-probability of every token and of the N most likely alternatives (with --json).")
    var logprobs: Int?

    func validate() throws {
        if let logprobs, logprobs < 0 { throw ValidationError("--logprobs must be 0 or more, not \(logprobs).") }
    }

    /// Applies the flags to a generation.
    func apply(to options: inout AnswerOptions) {
        options.stopStrings = stop
        options.topLogprobs = logprobs
        options.sampling.logitBias = logitBias.reduce(into: [:]) { $0[$1.token] = $1.bias }
    }
}

/// A token and the bias on its logit, in llama.cpp's notation: `15043+1`, `15043-0.5`, `2-inf`.
struct TokenBias: ExpressibleByArgument {
    let token: Int
    let bias: Float

    init?(argument: String) {
        let digits = argument.prefix { $0.isNumber }
        let rest = argument.dropFirst(digits.count)
        guard let token = Int(digits), rest.first == "+" || rest.first == "-", let bias = Float(rest), !bias.isNaN
        else {
            return nil
        }
        self.token = token
        self.bias = bias
    }
}
