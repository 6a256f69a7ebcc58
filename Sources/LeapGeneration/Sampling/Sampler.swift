public import LeapTokenizer

/// Chooses the next token from a row of logits: an ordered list of steps that narrow and scale the candidates, then a
/// seeded draw.
///
/// The same logits, configuration and seed give the same tokens on every CPU: the random numbers and the exponential are
/// computed here with IEEE arithmetic alone, and equal logits are ordered by token id.
public struct Sampler {
    /// The configuration that the steps were made from.
    public let configuration: SamplerConfiguration

    private var steps: [any SamplingStep]
    private var generator: SplitMix64
    private var candidates = Candidates()

    /// Makes a sampler.
    ///
    /// - Parameter seed: Start of the sequence of random numbers.
    /// - Throws: ``SamplerError/invalidSetting(name:value:requirement:)`` for a setting without meaning.
    public init(configuration: SamplerConfiguration, seed: UInt64) throws(SamplerError) {
        try configuration.validate()
        self.configuration = configuration
        self.steps = configuration.steps
        self.generator = SplitMix64(seed: seed)
    }

    /// Records a token of the sequence for the penalties; the prompt's tokens count as well.
    public mutating func accept(_ token: Token) {
        for index in steps.indices { steps[index].accept(token) }
    }

    /// Draws the next token. Does not accept it.
    ///
    /// - Parameter logits: One value per token of the vocabulary. Penalties and temperature are applied in place. NaN and
    ///   -∞ are never chosen; tokens at +∞ share the whole probability.
    /// - Returns: An index into `logits`.
    /// - Throws: ``SamplerError/noCandidate(vocabularySize:)`` when every logit is NaN or -∞.
    /// - Complexity: O(vocabulary), without allocation after the first call.
    public mutating func sample(_ logits: UnsafeMutableBufferPointer<Float>) throws(SamplerError) -> Token {
        candidates.begin(logits)
        for index in steps.indices { steps[index].apply(to: &candidates, random: &generator) }
        guard let drawn = candidates.draw(at: generator.nextUnit()) else {
            throw .noCandidate(vocabularySize: logits.count)
        }
        if configuration.controlsSurprise {
            let surprise = -logarithm(drawn.share) * 1.4426950408889634  // 1 / ln 2
            for index in steps.indices { steps[index].learn(surprise: surprise) }
        }
        return drawn.token
    }
}
