/// The tokens that may come next: one bit per token of the vocabulary.
public struct TokenMask: Sendable, Hashable {
    /// 64 tokens per word, the lowest id in the lowest bit.
    public private(set) var words: [UInt64]
    /// The vocabulary's size.
    public let count: Int

    /// A mask that permits nothing.
    init(count: Int) {
        self.count = count
        words = Bits.empty(count: count)
    }

    /// Whether a token may come next.
    public func contains(_ token: Int32) -> Bool {
        token >= 0 && Int(token) < count && Bits.contains(words, Int(token))
    }

    /// Whether no token may come next.
    public var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

    /// The tokens that may come next, in ascending order.
    var tokens: [Int32] { (0..<Int32(truncatingIfNeeded: count)).filter(contains) }

    /// Sets the logits of all other tokens to -∞.
    ///
    /// - Complexity: O(vocabulary); words that permit everything cost nothing.
    public func apply(to logits: UnsafeMutableBufferPointer<Float>) {
        let covered = min(count, logits.count)
        for (index, word) in words.enumerated() where word != .max {
            let base = index * 64
            if word == 0 {
                logits[min(base, covered)..<min(base + 64, covered)].update(repeating: -.infinity)
                continue
            }
            var forbidden = ~word
            while forbidden != 0 {
                let token = base + forbidden.trailingZeroBitCount
                guard token < covered else { break }
                logits[token] = -.infinity
                forbidden &= forbidden - 1
            }
        }
        // Logits beyond the vocabulary are padding and must never be sampled.
        logits[covered...].update(repeating: -.infinity)
    }

    @inline(__always)
    mutating func insert(_ token: Int32) { Bits.insert(Int(token), &words) }

    @inline(__always)
    mutating func remove(_ token: Int32) { Bits.remove(Int(token), &words) }

    mutating func formUnion(_ other: TokenMask) {
        for index in words.indices { words[index] |= other.words[index] }
    }
}
