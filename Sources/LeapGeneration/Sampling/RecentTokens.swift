import LeapTokenizer

/// The latest tokens of a sequence, and how often each occurs among them.
struct RecentTokens: Sendable {
    private let capacity: Int
    private var ring: [Token] = []
    private var oldest = 0

    /// Occurrences of each token in the window.
    private(set) var counts: [Token: Int] = [:]

    /// - Parameter capacity: Tokens in the window; 0 or less keeps none.
    init(capacity: Int) {
        self.capacity = max(capacity, 0)
    }

    mutating func append(_ token: Token) {
        guard capacity > 0 else { return }
        if ring.count < capacity {
            ring.append(token)
        } else {
            forget(ring[oldest])
            ring[oldest] = token
            oldest = (oldest + 1) % capacity
        }
        counts[token, default: 0] += 1
    }

    private mutating func forget(_ token: Token) {
        guard let count = counts[token] else { return }
        counts[token] = count > 1 ? count - 1 : nil
    }
}
