import LeapOps

/// A matrix, and the bias that some models add: `y = W · x + b`; and what adapters change.
struct Projection: Sendable {
    let weights: QuantizedMatrix
    let bias: FloatVector?
    /// What adapters add; `nil` if none does.
    let changes: LowRankChanges?

    init(_ weights: QuantizedMatrix, bias: FloatVector? = nil, changes: LowRankChanges? = nil) {
        self.weights = weights
        self.bias = bias
        self.changes = changes
    }

    /// Whether the projection is its matrix and nothing else.
    var isPlain: Bool { bias == nil && changes == nil }

    /// The part of the projection that gives some of its outputs.
    func rows(_ range: Range<Int>) -> Projection {
        Projection(weights[range], bias: bias.map { $0[range] }, changes: changes.map { $0[range] })
    }

    /// - Parameters:
    ///   - x: `[n, weights.columns]`.
    ///   - scales: How much adapters weigh in each row; `nil` for a model that has none.
    /// - Returns: `[n, weights.rows]`.
    func callAsFunction(_ x: inout Activations, _ compute: Compute, _ scales: AdapterScales? = nil) -> Rows {
        let y = compute.linear(weights, &x)
        complete(y, &x, compute, scales)
        return y
    }

    /// The same for a router, which multiplies rows of every kind with the same arithmetic, so that prefill and
    /// decoding choose the same experts.
    func routerLogits(_ x: inout Activations, _ compute: Compute, _ scales: AdapterScales?) -> Rows {
        let y = compute.routerLogits(weights, bias: bias?.base, &x)
        if let changes, let scales {
            changes.add(to: y, &x, scales, compute) { compute.routerLogits($0, bias: nil, &$1) }
        }
        return y
    }

    /// Three projections of one input.
    static func apply(
        _ first: Projection, _ second: Projection, _ third: Projection, to x: inout Activations, _ compute: Compute,
        _ scales: AdapterScales? = nil
    ) -> (Rows, Rows, Rows) {
        let y = compute.linear(first.weights, second.weights, third.weights, &x)
        first.complete(y.0, &x, compute, scales)
        second.complete(y.1, &x, compute, scales)
        third.complete(y.2, &x, compute, scales)
        return y
    }

    /// Adds the bias and the changes of adapters to `W · x`.
    private func complete(_ y: Rows, _ x: inout Activations, _ compute: Compute, _ scales: AdapterScales?) {
        if let bias { compute.addBias(bias.base, to: y) }
        assert(changes == nil || scales != nil, "parts of a model with adapters must pass on the scales")
        if let changes, let scales { changes.add(to: y, &x, scales, compute) }
    }
}
