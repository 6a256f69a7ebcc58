/// Keeps as many of the likeliest tokens as have the wanted surprise, if probabilities fall as in Zipf's law, pₖ ∝ k⁻ˢ.
/// The exponent is estimated from the m = 100 likeliest tokens, by least squares of the logarithms:
///
///     ŝ = Σ tᵢ bᵢ / Σ tᵢ²,  tᵢ = ln((i + 1) / i),  bᵢ = ln(pᵢ / pᵢ₊₁)
///     k = (ε̂ · 2^μ / (1 − N^−ε̂))^(1/ŝ),  ε̂ = ŝ − 1,  N tokens in the vocabulary
///
/// Source: Basu et al. 2021, "Mirostat: A neural text decoding algorithm that directly controls perplexity", algorithm 1,
/// with the surprise of what was drawn measured among the tokens that were kept, as implementations agree on.
struct Mirostat: SamplingStep {
    private var control: SurpriseControl
    /// The tokens that the estimate is made of (m).
    private static let sampleSize = 100

    init?(_ settings: MirostatSettings) {
        guard settings.version == .v1 else { return nil }
        control = SurpriseControl(settings)
    }

    mutating func apply(to candidates: inout Candidates, random: inout SplitMix64) {
        guard let exponent = exponent(&candidates) else { return }
        candidates.keepFirst(Self.count(exponent, limit: control.limit, vocabulary: candidates.vocabularySize))
    }

    mutating func learn(surprise: Double) { control.learn(surprise) }

    /// ŝ; `nil` if there is nothing to choose from.
    private func exponent(_ candidates: inout Candidates) -> Double? {
        let leading = candidates.leading(Self.sampleSize)
        guard leading.count > 1, leading[0].logit < .infinity else { return nil }
        var (products, squares) = (0.0, 0.0)
        for index in 1..<leading.count {
            let step = logarithm(Double(index + 1) / Double(index))
            let fall = Double(leading[index - 1].logit) - Double(leading[index].logit)
            products += step * fall / candidates.temperature
            squares += step * step
        }
        return products / squares
    }

    /// k, at least 1 and at most N.
    private static func count(_ exponent: Double, limit: Double, vocabulary: Int) -> Int {
        let size = logarithm(Double(vocabulary))
        let excess = exponent - 1
        // ε̂ / (1 − N^−ε̂), and its limit if ε̂ is 0. If ε̂ < 0, both are multiplied by N^ε̂.
        let ratio =
            abs(excess) < 1e-9
            ? 1 / size
            : excess > 0
                ? excess / (1 - exponential(-excess * size))
                : excess * exponential(excess * size) / (exponential(excess * size) - 1)
        let power = (logarithm(ratio) + limit * 0.6931471805599453) / exponent
        guard power < size else { return vocabulary }
        return power > 0 ? Int(1 / exponential(-power)) : 1
    }
}

/// Keeps the tokens whose surprise −log₂ p is at most μ, and the likeliest in any case.
///
/// Source: Basu et al., the authors' implementation ("Mirostat 2.0"), which needs no estimate.
struct Mirostat2: SamplingStep {
    private var control: SurpriseControl

    init?(_ settings: MirostatSettings) {
        guard settings.version == .v2 else { return nil }
        control = SurpriseControl(settings)
    }

    func apply(to candidates: inout Candidates, random: inout SplitMix64) {
        candidates.keepUnsurprising(control.limit)
    }

    mutating func learn(surprise: Double) { control.learn(surprise) }
}

/// The feedback of both: how surprising a token may be (μ) follows from how surprising the last ones were,
///
///     μ ← μ − η · (surprise − τ),  beginning at 2 τ
private struct SurpriseControl {
    private let target: Double
    private let learningRate: Double
    /// μ, in bits.
    private(set) var limit: Double

    init(_ settings: MirostatSettings) {
        target = Double(settings.target)
        learningRate = Double(settings.learningRate)
        limit = 2 * target
    }

    mutating func learn(_ surprise: Double) { limit -= learningRate * (surprise - target) }
}

/// How the surprise of a text is held near a target; see ``SamplerConfiguration/mirostat``.
public struct MirostatSettings: Sendable, Hashable {
    /// How the tokens to draw from are found.
    public enum Version: Sendable, Hashable {
        /// No control at all.
        case off
        /// The likeliest tokens, as many as Zipf's law gives.
        case v1
        /// The tokens that are not too surprising.
        case v2
    }

    /// How the tokens to draw from are found.
    public var version: Version
    /// The surprise to hold, in bits per token (τ).
    public var target: Float
    /// How quickly a deviation is answered (η).
    public var learningRate: Float

    /// Off, and for whoever changes ``version`` alone, the values that the method's authors use.
    public init(version: Version = .off, target: Float = 5, learningRate: Float = 0.1) {
        self.version = version
        self.target = target
        self.learningRate = learningRate
    }
}
