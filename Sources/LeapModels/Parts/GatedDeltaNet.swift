import LeapOps

/// A recurrent layer whose memory is one matrix per head, instead of keys and values.
///
///     q, k, v = SiLU(convolve(Wqkv · x));   α, β from Wα · x and Wβ · x
///     S ← α · S;   S ← S + k ⊗ β · (v − Sᵀ · k);   o = Sᵀ · q
///     y = Wout · (norm(o) ⊙ SiLU(Wz · x))
///
/// Source: Yang, Kautz and Hatamizadeh 2024, "Gated Delta Networks"; the models of Qwen3.5 in Hugging Face's transformers.
struct GatedDeltaNet: Sendable {
    /// `[channels, embeddingLength]`: queries, keys and values.
    let input: Projection
    /// `[valueWidth, embeddingLength]`: the gate of the output.
    let gate: Projection
    /// `[valueHeads, embeddingLength]`: what decides how much is forgotten.
    let alpha: Projection
    /// `[valueHeads, embeddingLength]`: what decides how much is learned.
    let beta: Projection
    /// `[taps, channels]`
    let filter: FloatVector
    /// One per head of values, negative.
    let decay: FloatVector
    /// One per head of values.
    let timeBias: FloatVector
    /// The norm of every query, which also divides by √keyDimension, and of every key: to the length 1.
    let norms: SelfAttention.Norms
    /// The norm of what every head of values gives.
    let outputNorm: Norm
    /// `[embeddingLength, valueWidth]`
    let output: Projection

    let shape: RecurrentShape

    /// The layer's part of a sequence's state before the first token.
    func makeState() -> RecurrentState { RecurrentState(shape) }

    /// Bytes of such a state: the current memory, and the one before the last pass.
    var stateByteCount: Int { 2 * shape.byteCount }

    /// - Parameters:
    ///   - x: `[n, embeddingLength]`, normalised.
    ///   - layer: The number of the layer.
    /// - Returns: `[n, embeddingLength]`.
    func callAsFunction(_ x: Rows, layer: Int, _ pass: ForwardPass, _ compute: Compute) -> Rows {
        var x = Activations(x, pass.kind)
        let inputs = RecurrentInputs(
            mixed: input(&x, compute, pass.adapterScales), alpha: alpha(&x, compute, pass.adapterScales),
            beta: beta(&x, compute, pass.adapterScales))
        let gates = gate(&x, compute, pass.adapterScales)
        let learned = compute.scratch.rows(inputs.count, width: shape.valueWidth)
        let weights = DeltaNetWeights(
            filter: filter.base, decay: decay.base, timeBias: timeBias.base, queryGains: norms.query.gains.base,
            keyGains: norms.key.gains.base, epsilon: norms.key.epsilon)
        compute.learn(inputs, shape, layer: layer, pass, into: learned) {
            compute.deltaNet($0, weights, from: $1, to: $2, $3, into: $4)
        }
        outputNorm.parts(of: learned, compute)
        compute.gate(gates, learned, .swiGLU)
        var result = Activations(gates, pass.kind)
        return output(&result, compute, pass.adapterScales)
    }
}
