/// Keeps the k likeliest tokens.
struct TopK: SamplingStep {
    private let k: Int

    init?(_ k: Int) {
        guard k > 0 else { return nil }
        self.k = k
    }

    func apply(to candidates: inout Candidates, random: inout SplitMix64) {
        candidates.keepFirst(k)
    }
}
