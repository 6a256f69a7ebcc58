import LeapOps

/// The expert of a mixture that all rows have: `y = network(x)`, or with a gate `y = σ(gate · x) · network(x)`.
struct SharedExpert: Sendable {
    let network: FeedForward
    /// `[1, embeddingLength]`: how much of the expert a row takes; all of it if `nil`.
    let gate: Projection?

    /// Adds the expert's output for `x`, `[n, embeddingLength]`, to that of the others.
    func add(to y: Rows, _ x: Rows, _ pass: ForwardPass, _ compute: Compute) {
        guard let gate else { return compute.add(network(x, pass, compute), to: y) }
        var input = Activations(x, pass.kind)
        let shares = gate.routerLogits(&input, compute, pass.adapterScales)
        compute.sigmoid(shares)
        compute.add(network(x, pass, compute), scaledBy: shares.base, times: 1, to: y)
    }
}
