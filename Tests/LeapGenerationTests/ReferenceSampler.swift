import Foundation
import LeapGeneration

/// The distribution that a configuration describes, computed directly: full sort, `Foundation.exp`, one token
/// after another. It is compared with the draws of a ``Sampler``.
struct ReferenceSampler {
    var configuration: SamplerConfiguration
    var recent: [Int] = []

    /// Probability of every token.
    func distribution(_ logits: [Float]) -> [Double] {
        let changed = repetitionPenalized(penalized(biased(logits.map(Double.init))))
        let kept = kept(changed)
        let usual = probabilities(kept, changed)
        guard configuration.temperature > SamplerConfiguration.greedyThreshold else { return usual }
        // XTC chooses between two distributions at random.
        let rare = probabilities(withoutTop(kept, changed), changed)
        let chance = Double(min(max(configuration.xtcProbability, 0), 1))
        return zip(usual, rare).map { (1 - chance) * $0 + chance * $1 }
    }

    private func kept(_ logits: [Double]) -> [Int] {
        var kept = logits.indices.filter { logits[$0] > -.infinity }
            .sorted { (logits[$0], -$0) > (logits[$1], -$1) }
        guard configuration.temperature > SamplerConfiguration.greedyThreshold else { return Array(kept.prefix(1)) }
        guard configuration.mirostat.version == .off else { return unsurprising(kept, logits) }
        kept = outstanding(kept, logits)
        if configuration.topK > 0 { kept = Array(kept.prefix(configuration.topK)) }
        kept = typical(kept, logits)
        kept = nucleus(kept, logits)
        let best = softmax(kept, logits, 1).max() ?? 0
        return zip(kept, softmax(kept, logits, 1)).filter {
            $0.1 >= Double(min(configuration.minP, 1)) * best * (1 - 1e-12)
        }.map(\.0)
    }

    private func probabilities(_ kept: [Int], _ logits: [Double]) -> [Double] {
        var result = [Double](repeating: 0, count: logits.count)
        let temperature = max(Double(configuration.temperature), 1e-30)
        for (token, p) in zip(kept, softmax(kept, logits, temperature)) { result[token] = p }
        return result
    }

    private func withoutTop(_ kept: [Int], _ logits: [Double]) -> [Int] {
        let likely = softmax(kept, logits, 1).count { $0 >= Double(configuration.xtcThreshold) }
        return configuration.xtcThreshold > 0.5 ? kept : Array(kept.dropFirst(max(likely - 1, 0)))
    }

    private func biased(_ logits: [Double]) -> [Double] {
        logits.indices.map { logits[$0] + Double(configuration.logitBias[Int32($0)] ?? 0) }
    }

    private func penalized(_ logits: [Double]) -> [Double] {
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

    /// DRY by its definition: for every token, the longest suffix of the sequence that also occurs before an earlier
    /// occurrence of that token.
    private func repetitionPenalized(_ logits: [Double]) -> [Double] {
        let dry = configuration.dry
        let sequence = Array(recent.suffix(max(dry.window, 0)))
        return logits.indices.map { token in
            guard dry.multiplier > 0, !dry.breakers.contains(Int32(token)) else { return logits[token] }
            let lengths = sequence.indices.filter { sequence[$0] == token }.flatMap { place in
                (0...place).filter { length in
                    let end = sequence.suffix(length)
                    return end == sequence[(place - length)..<place]
                        && !end.contains { dry.breakers.contains(Int32($0)) }
                }
            }
            guard let length = lengths.max(), length > 0, length >= dry.allowedLength else { return logits[token] }
            return logits[token] - Double(dry.multiplier) * pow(Double(dry.base), Double(length - dry.allowedLength))
        }
    }

    /// Top-n-sigma.
    private func outstanding(_ kept: [Int], _ logits: [Double]) -> [Int] {
        guard configuration.topNSigma > 0, configuration.topNSigma < .infinity else { return kept }
        let values = kept.map { logits[$0] }
        let mean = values.reduce(0, +) / Double(values.count)
        let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count)
        let bound = (values.max() ?? 0) - Double(configuration.topNSigma) * variance.squareRoot()
        return kept.filter { logits[$0] >= bound }
    }

    /// Locally typical tokens, by entropy and information content.
    private func typical(_ kept: [Int], _ logits: [Double]) -> [Int] {
        guard configuration.typicalP < 1 else { return kept }
        let p = softmax(kept, logits, 1)
        let entropy = p.reduce(0) { $0 - ($1 > 0 ? $1 * log($1) : 0) }
        let distances = p.map { abs(-log($0) - entropy) }
        var sum = 0.0
        for index in distances.indices.sorted(by: { distances[$0] < distances[$1] }) {
            sum += p[index]
            guard sum >= Double(configuration.typicalP) else { continue }
            return zip(kept, distances).filter { $0.1 <= distances[index] + 1e-9 }.map(\.0)
        }
        return kept
    }

    /// The candidates that mirostat keeps for the first token, when its limit is twice the target.
    private func unsurprising(_ kept: [Int], _ logits: [Double]) -> [Int] {
        let p = softmax(kept, logits, Double(configuration.temperature))
        let limit = 2 * Double(configuration.mirostat.target)
        if configuration.mirostat.version == .v2 {
            let count = p.count { -log2($0) <= limit }
            return Array(kept.prefix(max(count, 1)))
        }
        var (products, squares) = (0.0, 0.0)
        for index in 1..<min(p.count, 100) {
            let step = log(Double(index + 1) / Double(index))
            products += step * log(p[index - 1] / p[index])
            squares += step * step
        }
        let exponent = products / squares
        let excess = exponent - 1
        let count = pow(excess * exp2(limit) / (1 - pow(Double(logits.count), -excess)), 1 / exponent)
        return Array(kept.prefix(Int(min(max(count, 1), Double(logits.count)))))
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
