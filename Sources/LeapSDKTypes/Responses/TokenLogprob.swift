/// How probable a generated token was, and which others would have been.
///
/// Probabilities are the model's own, at temperature 1, before any bias, penalty, filter or constraint. So a token may have
/// been drawn that is not among the likeliest.
public struct TokenLogprob: Sendable, Hashable, Codable {
    /// The token's text alone; U+FFFD stands for a part of a character.
    public let token: String
    /// The token's id.
    public let id: Int
    /// The token's bytes, which may be a part of a character.
    public let bytes: [UInt8]
    /// The natural logarithm of its probability.
    public let logprob: Double
    /// The likeliest tokens at this place, the likeliest first, ``GenerationOptions/topLogprobs`` of them; they have none
    /// of their own.
    public let topLogprobs: [TokenLogprob]

    /// Describes a token.
    public init(token: String, id: Int, bytes: [UInt8], logprob: Double, topLogprobs: [TokenLogprob] = []) {
        self.token = token
        self.id = id
        self.bytes = bytes
        self.logprob = logprob
        self.topLogprobs = topLogprobs
    }
}
