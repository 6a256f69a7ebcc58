import LeapOps

/// A matrix, and the bias that some models add: `y = W · x + b`.
struct Projection: Sendable {
    let weights: QuantizedMatrix
    let bias: FloatVector?

    init(_ weights: QuantizedMatrix, bias: FloatVector? = nil) {
        self.weights = weights
        self.bias = bias
    }

    /// - Parameter x: `[n, weights.columns]`.
    /// - Returns: `[n, weights.rows]`.
    func callAsFunction(_ x: inout Activations, _ compute: Compute) -> Rows {
        let y = compute.linear(weights, &x)
        if let bias { compute.addBias(bias.base, to: y) }
        return y
    }
}
