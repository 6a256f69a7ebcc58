import Foundation

/// Samples audio codes.
///
/// Only the temperature and the k likeliest codes count; ties with the last of them are kept.
public struct AudioCodeSampler: Sendable {
    private let temperature: Float
    private let topK: Int
    private var generator: any RandomNumberGenerator & Sendable
    /// The largest logits so far, in a heap whose first is the least. Memory that is taken once.
    private var largest: [Float] = []

    /// - Parameters:
    ///   - temperature: 0 or less always takes the likeliest code.
    ///   - topK: How many codes are drawn from; 0 for all.
    ///   - generator: Where chance comes from.
    public init(temperature: Float, topK: Int, generator: any RandomNumberGenerator & Sendable) {
        (self.temperature, self.topK, self.generator) = (temperature, topK, generator)
    }

    /// Draws a code by its logits, of which there is at least one.
    public mutating func draw(_ logits: UnsafeBufferPointer<Float>) -> Int32 {
        var best = 0
        for index in logits.indices where logits[index] > logits[best] { best = index }
        guard temperature > 0, topK != 1 else { return Int32(best) }
        let least = topK > 0 && topK < logits.count ? leastOfLargest(logits) : -Float.infinity
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

    /// The k-th largest logit.
    private mutating func leastOfLargest(_ logits: UnsafeBufferPointer<Float>) -> Float {
        largest.removeAll(keepingCapacity: true)
        for logit in logits {
            if largest.count < topK {
                largest.append(logit)
                if largest.count == topK { for root in (0..<topK / 2).reversed() { siftDown(from: root) } }
            } else if logit > largest[0] {
                largest[0] = logit
                siftDown(from: 0)
            }
        }
        return largest[0]
    }

    private mutating func siftDown(from root: Int) {
        var root = root
        while 2 * root + 1 < largest.count {
            var child = 2 * root + 1
            if child + 1 < largest.count, largest[child + 1] < largest[child] { child += 1 }
            guard largest[child] < largest[root] else { return }
            largest.swapAt(root, child)
            root = child
        }
    }
}
