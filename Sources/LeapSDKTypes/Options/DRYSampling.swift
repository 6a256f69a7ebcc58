/// "Don't repeat yourself": a token that would continue a repetition of earlier text gets a penalty that grows with the
/// length of the repetition.
///
/// The penalty is `multiplier · base ^ (length - allowedLength)`, subtracted from the token's logit, for repetitions of at
/// least ``allowedLength`` tokens. Source: the sampler of that name in llama.cpp and text-generation-webui.
public struct DRYSampling: Sendable, Hashable, Codable {
    /// The penalty of a repetition of exactly ``allowedLength`` tokens; 0 is off.
    public var multiplier: Float
    /// How many times the penalty grows with each token more; at least 1.
    public var base: Float
    /// Repetitions shorter than this, in tokens, cost nothing.
    public var allowedLength: Int
    /// How many of the latest tokens are looked at; `nil`: all of the sequence.
    public var window: Int?
    /// Texts across which nothing counts as a repetition.
    public var sequenceBreakers: [String]

    /// The sequence breakers of the original.
    public static let defaultSequenceBreakers = ["\n", ":", "\"", "*"]

    /// Makes a setting.
    public init(
        multiplier: Float = 0.8, base: Float = 1.75, allowedLength: Int = 2, window: Int? = nil,
        sequenceBreakers: [String] = Self.defaultSequenceBreakers
    ) {
        self.multiplier = multiplier
        self.base = base
        self.allowedLength = allowedLength
        self.window = window
        self.sequenceBreakers = sequenceBreakers
    }
}
