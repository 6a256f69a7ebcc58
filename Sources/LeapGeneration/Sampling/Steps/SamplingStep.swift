/// One step of a ``Sampler``: narrows the candidates or changes their logits.
///
/// Initialisers of steps fail where the setting turns the step off, so that a sampler runs only what has an effect.
protocol SamplingStep: Sendable {
    /// Applies the step.
    ///
    /// - Parameter recent: The tokens that stand last in the sequence.
    func apply(to candidates: inout Candidates, recent: RecentTokens)
}
