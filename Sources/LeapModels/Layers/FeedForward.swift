import LeapOps

/// The gated feed-forward network: `y = Wdown · (SiLU(Wgate · x) ⊙ (Wup · x))`, with biases where a model has them.
struct FeedForward: Sendable {
    /// `[feedForwardLength, embeddingLength]`
    let gate: Projection
    /// `[feedForwardLength, embeddingLength]`
    let up: Projection
    /// `[embeddingLength, feedForwardLength]`
    let down: Projection

    /// - Parameter x: `[n, embeddingLength]`, normalised.
    /// - Returns: `[n, embeddingLength]`.
    func callAsFunction(_ x: Rows, _ compute: Compute) -> Rows {
        var input = Activations(x)
        let hidden = gate(&input, compute)
        compute.swiGLU(hidden, up(&input, compute))
        var gated = Activations(hidden)
        return down(&gated, compute)
    }
}
