/// Keeps the fewest likeliest tokens whose probabilities sum to at least p, and at least one.
///
/// Source: Holtzman et al. 2020, "The curious case of neural text degeneration", section 3.1 (nucleus sampling).
struct TopP: SamplingStep {
    private let p: Double

    init?(_ p: Float) {
        guard p < 1 else { return nil }
        self.p = Double(p)
    }

    func apply(to candidates: inout Candidates, random: inout SplitMix64) {
        candidates.keepNucleus(p)
    }
}
