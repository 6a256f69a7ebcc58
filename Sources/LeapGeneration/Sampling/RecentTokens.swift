import LeapTokenizer

/// The latest tokens of a sequence, and how often each occurs among them.
///
/// Different tokens stand one after another in memory, so that the penalties pass quickly over a history of thousands.
struct RecentTokens: Sendable {
    private let capacity: Int
    private var ring: [Token] = []
    private var oldest = 0

    /// The different tokens of the window, each once, and how often it occurs.
    private(set) var occurrences: [(token: Token, count: Int)] = []
    /// The index of a token in ``occurrences``.
    private var positions: [Token: Int] = [:]

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
        remember(token)
    }

    private mutating func remember(_ token: Token) {
        if let position = positions[token] {
            occurrences[position].count += 1
        } else {
            positions[token] = occurrences.count
            occurrences.append((token, 1))
        }
    }

    private mutating func forget(_ token: Token) {
        guard let position = positions[token] else { return }
        occurrences[position].count -= 1
        guard occurrences[position].count == 0, let moved = occurrences.popLast() else { return }
        positions[token] = nil
        guard position < occurrences.count else { return }
        occurrences[position] = moved
        positions[moved.token] = position
    }
}
