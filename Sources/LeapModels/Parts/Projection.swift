import LeapOps

/// A matrix, and the bias that some models add: `y = W · x + b`.
struct Projection: Sendable {
    let weights: QuantizedMatrix
    let bias: FloatVector?

    init(_ weights: QuantizedMatrix, bias: FloatVector? = nil) {
        self.weights = weights
        self.bias = bias
    }

    /// The part of the projection that gives some of its outputs.
    func rows(_ range: Range<Int>) -> Projection {
        Projection(weights[range], bias: bias.map { $0[range] })
    }

    /// - Parameter x: `[n, weights.columns]`.
    /// - Returns: `[n, weights.rows]`.
    func callAsFunction(_ x: inout Activations, _ compute: Compute) -> Rows {
        let y = compute.linear(weights, &x)
        if let bias { compute.addBias(bias.base, to: y) }
        return y
    }

    /// Three projections of one input.
    static func apply(
        _ first: Projection, _ second: Projection, _ third: Projection, to x: inout Activations, _ compute: Compute
    ) -> (Rows, Rows, Rows) {
        let y = compute.linear(first.weights, second.weights, third.weights, &x)
        if let bias = first.bias { compute.addBias(bias.base, to: y.0) }
        if let bias = second.bias { compute.addBias(bias.base, to: y.1) }
        if let bias = third.bias { compute.addBias(bias.base, to: y.2) }
        return y
    }
}
