/// Keeps the fewest tokens whose information content −ln p is nearest to the entropy H = −Σ p · ln p, and whose
/// probabilities sum to at least a given one ("locally typical sampling").
///
/// Since ln p = logit − ln Σ exp(logit), the distance |−ln p − H| is |logit − Σ p · logit|: the tokens are those whose
/// logit is nearest to the expected logit. Those that are as near as the last one are kept as well. Source: Meister et al.
/// 2022, "Locally typical sampling", section 4.
struct TypicalP: SamplingStep {
    private let p: Double

    init?(_ p: Float) {
        guard p < 1 else { return nil }
        self.p = Double(p)
    }

    func apply(to candidates: inout Candidates, random: inout SplitMix64) {
        candidates.keepTypical(p)
    }
}
