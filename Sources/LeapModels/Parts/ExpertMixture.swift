import LeapOps

/// A mixture of experts: feed-forward networks of which every row chooses some.
///
/// `y = Σ weight[e] · Wdown[e] · (SiLU(Wgate[e] · x) ⊙ (Wup[e] · x))` over the experts that a router chose for `x`, in the order
/// of the choice; in some models with another activation, and with biases of every expert behind each of its matrices.
///
/// Source: Shazeer et al. 2017, "Outrageously Large Neural Networks"; Jiang et al. 2024, "Mixtral of Experts", section 2.1.
struct ExpertMixture: Sendable {
    /// `[experts, embeddingLength]`
    let router: QuantizedMatrix
    /// `[experts]`
    let routerBias: FloatVector?
    /// What is added to probabilities for the choice alone, `[experts]`.
    let choiceBias: FloatVector?
    /// How experts are chosen and weighted.
    let routing: ExpertRouting
    /// `[experts, feedForwardLength, embeddingLength]`
    let gate: ExpertMatrices
    /// `[experts, feedForwardLength, embeddingLength]`
    let up: ExpertMatrices
    /// `[experts, embeddingLength, feedForwardLength]`
    let down: ExpertMatrices
    /// The activation of the gates.
    var unit: GatedUnit = .swiGLU
    /// What is added behind each matrix, where a model has it.
    var biases: Biases?
    /// The expert that all rows have besides, where there is one.
    var shared: SharedExpert?

    /// Biases of all experts.
    struct Biases: Sendable {
        /// `[experts, feedForwardLength]`
        let gate: FloatVector
        /// `[experts, feedForwardLength]`
        let up: FloatVector
        /// `[experts, embeddingLength]`
        let down: FloatVector
    }

    /// - Parameter x: `[n, embeddingLength]`, normalised.
    /// - Returns: `[n, embeddingLength]`.
    func callAsFunction(_ x: Rows, _ pass: ForwardPass, _ compute: Compute) -> Rows {
        var input = Activations(x, pass.kind)
        let logits = compute.routerLogits(router, bias: routerBias?.base, &input)
        let choice = compute.chooseExperts(logits, bias: choiceBias?.base, routing)
        let groups = compute.group(choice)
        var sorted = Activations(compute.gather(x, groups), pass.kind)
        var gated = Activations(hidden(&sorted, groups, compute), pass.kind)
        let outputs = compute.linear(down, &gated, groups)
        if let biases { compute.addBiases(biases.down.base, to: outputs, groups) }
        let y = compute.combine(outputs, choice, groups)
        shared?.add(to: y, x, pass, compute)
        return y
    }

    /// `activation(Wgate[e] · x) ⊙ (Wup[e] · x)` for the rows of each expert.
    private func hidden(_ x: inout Activations, _ groups: ExpertGroups, _ compute: Compute) -> Rows {
        guard let biases else { return compute.gatedLinear(gate: gate, up: up, &x, groups, unit) }
        let hidden = compute.linear(gate, &x, groups)
        let other = compute.linear(up, &x, groups)
        compute.addBiases(biases.gate.base, to: hidden, groups)
        compute.addBiases(biases.up.base, to: other, groups)
        compute.gate(hidden, other, unit)
        return hidden
    }
}
