import LeapOps

/// A layer norm: `y = (x − mean(x)) / √(variance(x) + ε) · gains + biases`.
///
/// Source: Ba, Kiros and Hinton 2016, "Layer Normalization".
struct LayerNorm: Sendable {
    /// As many as a row has elements.
    let gains: FloatVector
    /// As many as a row has elements.
    let biases: FloatVector
    let epsilon: Float

    /// Normalises every row of `x`; `output` may be `x`.
    func callAsFunction(_ x: Rows, into output: Rows, _ compute: Compute) {
        compute.layerNorm(x, gains.base, biases.base, epsilon: epsilon, into: output)
    }
}
