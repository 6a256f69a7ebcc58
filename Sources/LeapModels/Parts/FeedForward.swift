import LeapOps

/// The feed-forward network: `y = Wdown · (activation(Wgate · x) ⊙ (Wup · x))`, or without a gate
/// `y = Wdown · GELU(Wup · x)`; with biases if a model has them.
struct FeedForward: Sendable {
    /// `[feedForwardLength, embeddingLength]`; `nil` without a gate.
    let gate: Projection?
    /// `[feedForwardLength, embeddingLength]`
    let up: Projection
    /// `[embeddingLength, feedForwardLength]`
    let down: Projection
    /// The activation of a gate.
    var unit: GatedUnit = .swiGLU

    /// - Parameter x: `[n, embeddingLength]`, normalised.
    /// - Returns: `[n, embeddingLength]`.
    func callAsFunction(_ x: Rows, _ pass: ForwardPass, _ compute: Compute) -> Rows {
        self(x, kind: pass.kind, pass.adapterScales, compute)
    }

    /// The same outside a language model's pass.
    func callAsFunction(_ x: Rows, kind: RowKind, _ scales: AdapterScales?, _ compute: Compute) -> Rows {
        var input = Activations(x, kind)
        var gated = Activations(hidden(&input, compute, scales), kind)
        return down(&gated, compute, scales)
    }

    /// `activation(Wgate · x) ⊙ (Wup · x)`, or `GELU(Wup · x)`
    private func hidden(_ x: inout Activations, _ compute: Compute, _ scales: AdapterScales?) -> Rows {
        guard let gate else {
            let hidden = up(&x, compute, scales)
            compute.gelu(hidden, .exact)
            return hidden
        }
        if gate.isPlain, up.isPlain {
            return compute.gatedLinear(gate: gate.weights, up: up.weights, &x, unit)
        }
        let hidden = gate(&x, compute, scales)
        compute.gate(hidden, up(&x, compute, scales), unit)
        return hidden
    }
}
