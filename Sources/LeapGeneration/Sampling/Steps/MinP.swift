/// Keeps the tokens that are at least p times as probable as the best.
///
/// Source: Nguyen et al. 2024, "Turning up the heat: min-p sampling", section 3.
struct MinP: SamplingStep {
    private let p: Double

    init?(_ p: Float) {
        guard p > 0 else { return nil }
        self.p = Double(min(p, 1))
    }

    func apply(to candidates: inout Candidates, random: inout SplitMix64) {
        candidates.keepLikely(p)
    }
}
