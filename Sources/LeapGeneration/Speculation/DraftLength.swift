import LeapModels

/// Decides how many tokens of an answer to draft, by what passes cost and how often drafts were right: the number that
/// gives most tokens per second, which is none if drafting does not pay.
///
/// Timing decides only how tokens are computed, never which: drafted or not, they come out the same.
struct DraftLength {
    /// The most drafted tokens, so that they and the token before them can be rolled back.
    static let limit = SequenceState.reversibleRows - 1

    /// How probable it is that a drafted token is right, as far as those before it are; a moving average.
    private(set) var acceptance = initialAcceptance

    /// The expected acceptance before anything is known about the text.
    private static let initialAcceptance = 0.6
    /// Weight of what was just seen in the average.
    private static let smoothing = 0.15
    /// How fast the acceptance estimate recovers, per token, while nothing is drafted.
    private static let recovery = 0.001

    /// The number of tokens to draft next.
    ///
    /// - Parameters:
    ///   - others: Rows of other answers in the same pass, to which drafts add some.
    ///   - limit: The most; with the other rows no more than ``SequenceState/reversibleRows``.
    ///   - seconds: What it costs to draft one token.
    func best(
        _ costs: PassCosts, beside others: Int = 0, limit: Int = DraftLength.limit, draftingEachIn seconds: Double = 0
    ) -> Int {
        var (best, bestRate) = (0, 0.0)
        var (expected, chain) = (Double(others) + 1, 1.0)
        for count in 0...max(0, limit) {
            if count > 0 {
                chain *= acceptance
                expected += chain
            }
            let rate = expected / (costs[others + count + 1] + seconds * Double(count))
            if rate > bestRate { (best, bestRate) = (count, rate) }
        }
        return best
    }

    /// Learns from a pass whose drafted tokens were checked.
    ///
    /// - Parameter accepted: How many of the drafted tokens were right.
    mutating func learn(drafted: Int, accepted: Int) {
        guard drafted > 0 else { return }
        // Tokens after the first wrong one were never looked at.
        for index in 0..<min(accepted + 1, drafted) {
            acceptance += ((index < accepted ? 1 : 0) - acceptance) * Self.smoothing
        }
    }

    /// Notes that a token was decoded without its draft. The estimate recovers slowly, so that drafting is tried again.
    mutating func recover() {
        acceptance += (Self.initialAcceptance - acceptance) * Self.recovery
    }
}
