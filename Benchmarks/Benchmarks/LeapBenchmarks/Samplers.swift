import LeapGeneration

/// Sampling a token from a vocabulary of realistic size.
func registerSamplers() {
    registerSampler("greedy", .greedy)
    registerSampler("top-k", SamplerConfiguration(temperature: 0.8, topK: 40))
    registerSampler(
        "full",
        SamplerConfiguration(
            temperature: 0.8, topK: 40, topP: 0.95, minP: 0.05, repetitionPenalty: 1.1, frequencyPenalty: 0.1,
            presencePenalty: 0.1))
    registerSampler("no-top-k", SamplerConfiguration(temperature: 0.8, topP: 0.95))
}

/// The vocabulary size of LFM2.
private let vocabularySize = 65_536

private func registerSampler(_ name: String, _ configuration: SamplerConfiguration) {
    measure(["sampler", name, "\(vocabularySize)"], Work(tokens: 1)) {
        var sampler = try Sampler(configuration: configuration, seed: 1)
        for token in 0..<configuration.penaltyWindow { sampler.accept(Int32(token * 997)) }
        // Sums of four uniform numbers have approximately the bell-shaped distribution of a model's logits.
        let noise = TestData.floats(count: vocabularySize * 4)
        let logits = (0..<vocabularySize).map { token in 4 * noise[4 * token..<4 * token + 4].reduce(0, +) }
        var work = logits
        return Iteration(
            reset: { work.replaceSubrange(0..., with: logits) },
            run: { _ = try work.withUnsafeMutableBufferPointer { try sampler.sample($0) } })
    }
}
