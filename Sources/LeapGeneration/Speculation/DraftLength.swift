import LeapModels

/// Decides how many tokens to draft, by what passes cost and how often drafts were right: the number that gives most
/// tokens per second, which is none where drafting does not pay.
///
/// Timing decides only how tokens are computed, never which: drafted or not, they come out the same.
struct DraftLength {
    /// The most drafted tokens: they and the token before them can be taken back.
    static let limit = SequenceState.reversibleRows - 1

    /// Seconds of a pass by its rows, a moving average; `nil` where there was none yet.
    private var costs = [Double?](repeating: nil, count: limit + 2)
    /// How probable it is that a drafted token is right, as far as those before it are; a moving average.
    private(set) var acceptance = hope

    /// What is expected of a text of which nothing is known yet.
    private static let hope = 0.6
    /// Weight of what was just seen in the average of acceptance.
    private static let learning = 0.15
    /// The same for costs: a pass may take longer for many reasons that are not its own, but not less long.
    private static let (learningOfLess, learningOfMore) = (0.5, 0.05)
    /// What another row is taken to add to the cost of a pass before it was seen, relative to a pass of one.
    private static let assumedRowCost = 0.15
    /// How much of its confidence a policy that drafts nothing wins back with every token.
    private static let recovery = 0.001

    /// Another text begins, whose chances are its own.
    mutating func begin() {
        acceptance = Self.hope
    }

    /// The number of tokens to draft next.
    func best() -> Int {
        var (best, bestRate) = (0, 0.0)
        var (expected, chain) = (1.0, 1.0)
        for count in 0...Self.limit {
            if count > 0 {
                chain *= acceptance
                expected += chain
            }
            let rate = expected / cost(rows: count + 1)
            if rate > bestRate { (best, bestRate) = (count, rate) }
        }
        return best
    }

    /// Learns from a pass whose drafted tokens were checked.
    ///
    /// - Parameters:
    ///   - accepted: How many of the drafted tokens were right.
    ///   - seconds: What the pass took.
    mutating func learn(drafted: Int, accepted: Int, seconds: Double) {
        let known = costs[drafted + 1] ?? seconds
        costs[drafted + 1] = known + (seconds - known) * (seconds < known ? Self.learningOfLess : Self.learningOfMore)
        guard drafted > 0 else { return }
        // Tokens behind the first wrong one were never looked at.
        for index in 0..<min(accepted + 1, drafted) {
            acceptance += ((index < accepted ? 1 : 0) - acceptance) * Self.learning
        }
    }

    /// A token came by itself although a draft was at hand. Confidence returns slowly, so that drafting is tried again.
    mutating func rest() {
        acceptance += (Self.hope - acceptance) * Self.recovery
        for rows in 2..<costs.count {
            if let cost = costs[rows] { costs[rows] = cost + (assumedCost(rows: rows) - cost) * Self.recovery }
        }
    }

    private func cost(rows: Int) -> Double { costs[rows] ?? assumedCost(rows: rows) }

    private func assumedCost(rows: Int) -> Double {
        (costs[1] ?? 1) * (1 + Self.assumedRowCost * Double(rows - 1))
    }
}
