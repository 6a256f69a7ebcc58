public import LeapTokenizer

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The distribution that the model itself gives the next token, before any bias, penalty, filter, temperature or
/// constraint: `logprob = logit − ln Σ exp(logits)`.
struct RawDistribution {
    /// How many of the likeliest tokens are reported in addition to the sampled one.
    private let alternatives: Int
    private var row = LogitRow()
    private var weights = TokenWeights()
    private var top: [Candidate] = []
    /// ln Σ exp(logit − maximum).
    private var logTotal = 0.0

    init(alternatives: Int) {
        self.alternatives = alternatives
    }

    /// Takes a row of finite logits.
    mutating func read(_ logits: UnsafeMutableBufferPointer<Float>) {
        row.read(logits)
        weights.weigh(row, through: .end, temperature: 1)
        logTotal = log(weights.total)
        top.selectFirst(alternatives, of: row)
        top.sort { $0.precedes($1) }
    }

    /// What is reported of a token that was drawn.
    func report(on token: Token) -> TokenProbability {
        TokenProbability(
            token: token, logprob: logprob(row[Int(token)]),
            alternatives: top.map { TokenProbability.Alternative(token: $0.token, logprob: logprob($0.logit)) })
    }

    private func logprob(_ logit: Float) -> Double { Double(logit) - Double(row.maximum) - logTotal }
}

/// How probable a generated token was, and which others would have been.
///
/// Probabilities are the model's own, at temperature 1: biases, penalties, filters, temperature and constraints do not
/// change them. So a token may be drawn that is not among the alternatives.
public struct TokenProbability: Sendable, Hashable {
    /// The token that was drawn.
    public let token: Token
    /// The natural logarithm of its probability.
    public let logprob: Double
    /// The likeliest tokens, the likeliest first.
    public let alternatives: [Alternative]

    /// A token that might have been drawn.
    public struct Alternative: Sendable, Hashable {
        /// The token.
        public let token: Token
        /// The natural logarithm of its probability.
        public let logprob: Double
    }
}
