import LeapOps

/// A recurrent layer with Mamba 2's state space: every row decays the matrix of each head at a rate of the row's own, and
/// adds to it.
///
///     x, B, C = SiLU(convolve(Wxbc · u) + bias);   Δ = softplus(Wdt · u + timeBias)
///     S ← exp(A · Δ) · S + B ⊗ Δ · x;   y = Sᵀ · C + D · x
///     out = Wout · norm(y ⊙ SiLU(Wz · u)), normalised within each group
///
/// Source: Dao and Gu 2024, "Transformers are SSMs", section 7.
struct StateSpaceMixer: Sendable {
    /// `[valueWidth, embeddingLength]`: the gate of the output.
    let gate: Projection
    /// `[channels, embeddingLength]`: values, keys and queries.
    let input: Projection
    /// `[valueHeads, embeddingLength]`: time steps.
    let timeStep: Projection
    /// `[taps, channels]`
    let filter: FloatVector
    /// `[channels]`
    let filterBias: FloatVector?
    /// One per head, negative: A.
    let decay: FloatVector
    /// One per head.
    let timeBias: FloatVector
    /// One per head: D.
    let skip: FloatVector
    /// The norm of what the heads of each group give, with `valueWidth` gains.
    let outputNorm: Norm
    /// `[embeddingLength, valueWidth]`
    let output: Projection

    let shape: RecurrentShape

    /// The layer's part of a sequence's state before the first token.
    func makeState() -> RecurrentState { RecurrentState(shape) }

    /// Bytes of such a state: the current memory, and the one before the last pass.
    var stateByteCount: Int { 2 * shape.byteCount }

    /// - Parameters:
    ///   - u: `[n, embeddingLength]`, normalised.
    ///   - layer: The number of the layer.
    /// - Returns: `[n, embeddingLength]`.
    func callAsFunction(_ u: Rows, layer: Int, _ pass: ForwardPass, _ compute: Compute) -> Rows {
        var u = Activations(u, pass.kind)
        let gates = gate(&u, compute, pass.adapterScales)
        let inputs = RecurrentInputs(
            mixed: input(&u, compute, pass.adapterScales), alpha: timeStep(&u, compute, pass.adapterScales))
        let learned = compute.scratch.rows(inputs.count, width: shape.valueWidth)
        let weights = StateSpaceWeights(
            filter: filter.base, bias: filterBias.map { UnsafePointer($0.base) }, decay: decay.base,
            timeBias: timeBias.base, skip: skip.base)
        compute.learn(inputs, shape, layer: layer, pass, into: learned) {
            compute.stateSpace($0, weights, from: $1, to: $2, $3, into: $4)
        }
        compute.gate(gates, learned, .swiGLU)
        outputNorm.groups(of: gates, count: shape.keyHeads, compute)
        var result = Activations(gates, pass.kind)
        return output(&result, compute, pass.adapterScales)
    }
}
