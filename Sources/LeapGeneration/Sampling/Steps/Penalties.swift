import LeapTokenizer

/// Makes recent tokens less likely. For a token that occurs n > 0 times in the window:
///
///     logit ← (logit > 0 ? logit / repetition : logit · repetition) − n · frequency − presence
///
/// Runs before anything is narrowed. Sources: Keskar et al. 2019, "CTRL", section 4.1, with the multiplication for
/// negative logits that implementations agree on; frequency and presence as in OpenAI's API reference.
struct Penalties: SamplingStep {
    private let repetition: Float
    private let frequency: Float
    private let presence: Float
    private var recent: RecentTokens

    init?(_ configuration: SamplerConfiguration) {
        repetition = configuration.repetitionPenalty
        frequency = configuration.frequencyPenalty
        presence = configuration.presencePenalty
        guard repetition != 1 || frequency != 0 || presence != 0, configuration.penaltyWindow > 0 else { return nil }
        recent = RecentTokens(capacity: configuration.penaltyWindow)
    }

    mutating func accept(_ token: Token) {
        recent.append(token)
    }

    func apply(to candidates: inout Candidates, random: inout SplitMix64) {
        guard let row = candidates.logits else { return }
        for (token, count) in recent.occurrences {
            let index = Int(token)
            guard row.indices.contains(index) else { continue }
            let scaled = row[index] > 0 ? row[index] / repetition : row[index] * repetition
            row[index] = scaled - Float(count) * frequency - presence
        }
    }
}
