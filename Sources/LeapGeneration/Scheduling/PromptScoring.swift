import LeapTokenizer

/// The log probability of each token of a prompt, given the tokens before it.
struct PromptScoring {
    /// The most rows of a pass, each of which has logits of the whole vocabulary.
    static let rows = 32

    /// The log probabilities of the tokens from the second one on, as far as the prompt is read.
    private(set) var scores: [TokenProbability] = []
    private var distribution: RawDistribution

    init(alternatives: Int) {
        distribution = RawDistribution(alternatives: alternatives)
    }

    /// Notes how probable a token is.
    ///
    /// - Parameter logits: The logits after the token before it.
    mutating func score(_ token: Token, by logits: UnsafeMutableBufferPointer<Float>) {
        distribution.read(logits)
        scores.append(distribution.report(on: token))
    }
}
