import LeapTokenizer

/// One step of a ``Sampler``: narrows the candidates or changes their logits.
///
/// Initialisers of steps fail if the setting turns the step off, so that a sampler runs only what has an effect. A
/// step that looks back at the sequence keeps what it needs of it.
protocol SamplingStep: Sendable {
    /// Takes the token that now stands last in the sequence.
    mutating func accept(_ token: Token)

    /// Applies the step.
    ///
    /// - Parameter random: Where chance comes from.
    mutating func apply(to candidates: inout Candidates, random: inout SplitMix64)

    /// Takes the surprise of the token that was drawn, −log₂ of its probability among the candidates.
    mutating func learn(surprise: Double)
}

extension SamplingStep {
    /// Most steps look at logits alone.
    mutating func accept(_ token: Token) {}

    /// Most steps leave no trace.
    mutating func learn(surprise: Double) {}
}
