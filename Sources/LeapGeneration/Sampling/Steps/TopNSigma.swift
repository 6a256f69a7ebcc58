/// Keeps the tokens whose logits are at most n standard deviations σ below the highest one:
///
///     logit ≥ max − n · σ,  σ² = Σ (logit − mean)² / N  over all N tokens
///
/// Most logits are noise around a mean, and few stand out; where that noise begins does not depend on the temperature.
/// Runs first of all filters, because σ is that of the whole vocabulary. Source: Tang et al. 2024, "Top-nσ: Not all
/// logits are you need", section 4.
struct TopNSigma: SamplingStep {
    private let n: Double

    init?(_ n: Float) {
        guard n > 0, n < .infinity else { return nil }
        self.n = Double(n)
    }

    func apply(to candidates: inout Candidates, random: inout SplitMix64) {
        candidates.keepDeviations(n)
    }
}
