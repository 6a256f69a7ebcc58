/// Divides the logits: below 1 the likeliest tokens gain, above 1 the rest does.
struct Temperature: SamplingStep {
    private let temperature: Double

    init?(_ temperature: Float) {
        guard temperature != 1 else { return nil }
        self.temperature = Double(temperature)
    }

    func apply(to candidates: inout Candidates, random: inout SplitMix64) {
        candidates.temperature = temperature
    }
}
