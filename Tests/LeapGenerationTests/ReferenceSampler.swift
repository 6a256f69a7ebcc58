import Foundation
import LeapGeneration

/// The distribution that a configuration describes, computed the plain way: full sort, `Foundation.exp`, one token after
/// another. What it gives is compared with what a ``Sampler`` draws.
struct ReferenceSampler {
    var configuration: SamplerConfiguration
    var recent: [Int] = []

    /// Probability of every token.
    func distribution(_ logits: [Float]) -> [Double] {
        let penalized = penalize(logits.map(Double.init))
        var kept = penalized.indices.sorted { (penalized[$0], -$0) > (penalized[$1], -$1) }
        if configuration.temperature <= SamplerConfiguration.greedyThreshold {
            kept = Array(kept.prefix(1))
        } else {
            if configuration.topK > 0 { kept = Array(kept.prefix(configuration.topK)) }
            kept = nucleus(kept, penalized)
            let best = softmax(kept, penalized, 1).max() ?? 0
            kept = zip(kept, softmax(kept, penalized, 1)).filter {
                $0.1 >= Double(min(configuration.minP, 1)) * best * (1 - 1e-12)
            }.map(\.0)
        }
        var result = [Double](repeating: 0, count: logits.count)
        let temperature = max(Double(configuration.temperature), 1e-30)
        for (token, p) in zip(kept, softmax(kept, penalized, temperature)) { result[token] = p }
        return result
    }

    private func penalize(_ logits: [Double]) -> [Double] {
        var result = logits
        for token in Set(recent) {
            let count = recent.count { $0 == token }
            let repetition = Double(configuration.repetitionPenalty)
            result[token] = result[token] > 0 ? result[token] / repetition : result[token] * repetition
            result[token] -= Double(count) * Double(configuration.frequencyPenalty)
            result[token] -= Double(configuration.presencePenalty)
        }
        return result
    }

    private func nucleus(_ kept: [Int], _ logits: [Double]) -> [Int] {
        guard configuration.topP < 1 else { return kept }
        var sum = 0.0
        var result: [Int] = []
        for (token, p) in zip(kept, softmax(kept, logits, 1)) {
            result.append(token)
            sum += p
            if sum >= Double(configuration.topP) { break }
        }
        return result
    }

    private func softmax(_ tokens: [Int], _ logits: [Double], _ temperature: Double) -> [Double] {
        let maximum = tokens.map { logits[$0] }.max() ?? 0
        let weights = tokens.map { exp((logits[$0] - maximum) / temperature) }
        let total = weights.reduce(0, +)
        return weights.map { $0 / total }
    }
}
