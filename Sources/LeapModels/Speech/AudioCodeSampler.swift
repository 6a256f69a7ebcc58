import Foundation

/// Draws codes of sound.
///
/// Only the temperature and the k likeliest codes count; ties with the last of them are kept.
public struct AudioCodeSampler: Sendable {
    private let temperature: Float
    private let topK: Int
    private var generator: any RandomNumberGenerator & Sendable

    /// - Parameters:
    ///   - temperature: 0 or less always takes the likeliest code.
    ///   - topK: How many codes are drawn from; 0 for all.
    ///   - generator: Where chance comes from.
    public init(temperature: Float, topK: Int, generator: any RandomNumberGenerator & Sendable) {
        (self.temperature, self.topK, self.generator) = (temperature, topK, generator)
    }

    /// Draws a code by its logits, of which there is at least one.
    public mutating func draw(_ logits: UnsafeBufferPointer<Float>) -> Int32 {
        let best = logits.indices.max { logits[$0] < logits[$1] } ?? 0
        guard temperature > 0, topK != 1 else { return Int32(best) }
        let least = topK > 0 && topK < logits.count ? logits.sorted(by: >)[topK - 1] : -Float.infinity
        let largest = logits[best]
        var total = 0.0
        for logit in logits where logit >= least { total += exp(Double((logit - largest) / temperature)) }
        var rest = Double.random(in: 0..<1, using: &generator) * total
        for (code, logit) in logits.enumerated() where logit >= least {
            rest -= exp(Double((logit - largest) / temperature))
            if rest < 0 { return Int32(code) }
        }
        return Int32(best)
    }
}
