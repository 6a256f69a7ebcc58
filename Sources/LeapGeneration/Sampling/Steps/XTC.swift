/// Now and then leaves out the likeliest tokens ("exclude top choices"): with a given probability, all tokens that are
/// at least as probable as a threshold, except for the least probable one of them.
///
/// What is left contains a token that is likely, so texts become less predictable but not worse. Source:
/// P. E. Weidmann 2024, "Exclude Top Choices (XTC)", text-generation-webui pull request 6335.
struct XTC: SamplingStep {
    private let probability: Double
    private let threshold: Double

    /// Above a threshold of 0.5 there is never more than one such token.
    init?(probability: Float, threshold: Float) {
        guard probability > 0, threshold <= 0.5 else { return nil }
        self.probability = Double(probability)
        self.threshold = Double(threshold)
    }

    func apply(to candidates: inout Candidates, random: inout SplitMix64) {
        if random.nextUnit() < probability { candidates.excludeTop(threshold) }
    }
}
