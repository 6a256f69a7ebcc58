import LeapTokenizer

/// A token that may be drawn.
struct Candidate {
    var token: Token
    var logit: Float

    init(_ index: Int, _ logit: Float) {
        self.token = Token(truncatingIfNeeded: index)
        self.logit = logit
    }

    /// After every candidate: all that have a usable logit precede it.
    static let end = Candidate(Int(Token.max), -.greatestFiniteMagnitude)

    /// Higher logits come first; among equal ones, lower ids.
    func precedes(_ other: Candidate) -> Bool {
        logit > other.logit || (logit == other.logit && token < other.token)
    }
}
