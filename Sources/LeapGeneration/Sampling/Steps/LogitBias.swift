import LeapTokenizer

/// Adds a number to the logits of certain tokens; -∞ excludes a token.
///
/// Runs first, on the model's own logits. A token that a constraint has excluded stays so: -∞ plus anything is -∞ or
/// NaN, and neither is ever drawn. Source: `logit_bias` in OpenAI's API reference.
struct LogitBias: SamplingStep {
    private let bias: [(token: Int, value: Float)]

    init?(_ bias: [Token: Float]) {
        self.bias = bias.filter { $0.value != 0 }.map { (Int($0.key), $0.value) }
        if self.bias.isEmpty { return nil }
    }

    func apply(to candidates: inout Candidates, random: inout SplitMix64) {
        guard let row = candidates.logits else { return }
        for (token, value) in bias where row.indices.contains(token) { row[token] += value }
    }
}
