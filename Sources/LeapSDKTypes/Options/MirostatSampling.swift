/// Mirostat sampling: measures the surprise of each sampled token and adjusts the surprise allowed for the next, so
/// that the text stays near a target, however predictable its passages are.
///
/// Replaces all filters: top-k, top-p, min-p, typical-p, top-n-sigma and XTC have no effect. Source: Basu et al. 2021,
/// "Mirostat: A neural text decoding algorithm that directly controls perplexity".
public struct MirostatSampling: Sendable, Hashable, Codable {
    /// How the set of tokens to sample from is determined.
    public enum Version: Int, Sendable, Hashable, Codable, CaseIterable {
        /// The most likely tokens, as many as a Zipf distribution with the slope of the first hundred would need.
        case v1 = 1
        /// The tokens that are no more surprising than allowed.
        case v2 = 2
    }

    /// The version of the algorithm.
    public var version: Version
    /// The target surprise in bits per token (τ): low values give predictable text, high values varied text.
    public var target: Float
    /// The rate at which deviations are corrected (η).
    public var learningRate: Float

    /// Creates a setting.
    public init(version: Version = .v2, target: Float = 5, learningRate: Float = 0.1) {
        self.version = version
        self.target = target
        self.learningRate = learningRate
    }
}
