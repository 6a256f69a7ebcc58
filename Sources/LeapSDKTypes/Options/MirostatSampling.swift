/// Mirostat: of each token it is measured how surprising it was, and how surprising the next may be follows from that, so
/// that the text stays near a target however predictable its passages are.
///
/// Takes the place of all filters: top-k, top-p, min-p, typical-p, top-n-sigma and XTC have no effect beside it.
/// Source: Basu et al. 2021, "Mirostat: A neural text decoding algorithm that directly controls perplexity".
public struct MirostatSampling: Sendable, Hashable, Codable {
    /// How the tokens to draw from are found.
    public enum Version: Int, Sendable, Hashable, Codable, CaseIterable {
        /// As many of the likeliest as a Zipf distribution with the slope of the first hundred would need.
        case v1 = 1
        /// Those that are not more surprising than allowed.
        case v2 = 2
    }

    /// Which of the two.
    public var version: Version
    /// The surprise to hold, in bits per token (τ): low values are predictable, high ones are varied.
    public var target: Float
    /// How quickly a deviation is answered (η).
    public var learningRate: Float

    /// Makes a setting.
    public init(version: Version = .v2, target: Float = 5, learningRate: Float = 0.1) {
        self.version = version
        self.target = target
        self.learningRate = learningRate
    }
}
