/// The log probability of a generated token, and of its most likely alternatives.
///
/// Probabilities are the model's own, at temperature 1, before any bias, penalty, filter or constraint. The sampled
/// token need not be among the most likely ones.
public struct TokenLogprob: Sendable, Hashable, Codable {
    /// The text of the token by itself; an incomplete character appears as U+FFFD.
    public let token: String
    /// The token's id.
    public let id: Int
    /// The bytes of the token, which may be an incomplete character.
    public let bytes: [UInt8]
    /// The natural logarithm of the token's probability.
    public let logprob: Double
    /// The ``GenerationOptions/topLogprobs`` most likely tokens at this position, most likely first; their own lists
    /// are empty.
    public let topLogprobs: [TokenLogprob]

    /// Creates a log probability.
    public init(token: String, id: Int, bytes: [UInt8], logprob: Double, topLogprobs: [TokenLogprob] = []) {
        self.token = token
        self.id = id
        self.bytes = bytes
        self.logprob = logprob
        self.topLogprobs = topLogprobs
    }
}
