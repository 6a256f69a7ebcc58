/// DRY ("don't repeat yourself") sampling: penalises a token that would continue a repetition of earlier text. The
/// penalty grows with the length of the repetition.
///
/// The penalty is `multiplier · base ^ (length - allowedLength)`. It is subtracted from the token's logit for
/// repetitions of at least ``allowedLength`` tokens. Source: the DRY sampler of llama.cpp and text-generation-webui.
public struct DRYSampling: Sendable, Hashable, Codable {
    /// The penalty for a repetition of exactly ``allowedLength`` tokens; 0 turns DRY off.
    public var multiplier: Float
    /// The factor by which the penalty grows with each further token; at least 1.
    public var base: Float
    /// The length in tokens from which repetitions are penalised.
    public var allowedLength: Int
    /// The number of latest tokens that are searched for repetitions; `nil` searches the whole sequence.
    public var window: Int?
    /// Strings that interrupt repetitions: a match does not extend across them.
    public var sequenceBreakers: [String]

    /// The default sequence breakers of llama.cpp and text-generation-webui.
    public static let defaultSequenceBreakers = ["\n", ":", "\"", "*"]

    /// Creates a setting.
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
