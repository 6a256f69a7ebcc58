/// Collects tokens: counts all of them, and keeps the first ones.
struct TokenList {
    /// The first tokens, up to the number that is kept.
    private(set) var tokens: [Token] = []
    /// The number of all tokens; a lower bound if not all were computed.
    private(set) var count = 0
    /// Whether all tokens were made.
    private(set) var isExact = true
    private let limit: Int

    /// - Parameter limit: The most tokens that are kept.
    init(keeping limit: Int) { self.limit = limit }

    /// Appends a token.
    @inline(__always)
    mutating func append(_ token: Token) {
        if count < limit { tokens.append(token) }
        count += 1
    }

    /// Counts a stretch of text by a lower bound on its tokens, if that already exceeds the number of tokens to keep.
    ///
    /// - Returns: Whether it was counted, so that its tokens need not be made.
    mutating func skip(atLeast fewest: Int) -> Bool {
        guard fewest > limit - min(count, limit) else { return false }
        count += fewest
        isExact = false
        return true
    }
}
