import LeapOps

/// A mixture of experts: feed-forward networks of which every row chooses some.
///
/// `y = Σ weight[e] · Wdown[e] · (SiLU(Wgate[e] · x) ⊙ (Wup[e] · x))` over the experts that a router chose for `x`, in the order
/// of the choice.
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

    /// - Parameter x: `[n, embeddingLength]`, normalised.
    /// - Returns: `[n, embeddingLength]`.
    func callAsFunction(_ x: Rows, _ pass: ForwardPass, _ compute: Compute) -> Rows {
        var input = Activations(x, pass.kind)
        let logits = compute.routerLogits(router, bias: routerBias?.base, &input)
        let choice = compute.chooseExperts(logits, bias: choiceBias?.base, routing)
        let groups = compute.group(choice)
        var sorted = Activations(compute.gather(x, groups), pass.kind)
        var hidden = Activations(compute.gatedLinear(gate: gate, up: up, &sorted, groups), pass.kind)
        return compute.combine(compute.linear(down, &hidden, groups), choice, groups)
    }
}
