import LeapOps

/// A mixture of experts: feed-forward networks of which every row chooses some.
///
/// `y = Σ weight[e] · Wdown[e] · (SiLU(Wgate[e] · x) ⊙ (Wup[e] · x))` over the experts that a router chose for `x`, in the order
/// of the choice; in some models with another activation, and with biases of every expert after each of its matrices.
///
/// Source: Shazeer et al. 2017, "Outrageously Large Neural Networks"; Jiang et al. 2024, "Mixtral of Experts", section 2.1.
struct ExpertMixture: Sendable {
    /// `[experts, embeddingLength]`
    let router: Projection
    /// What is added to probabilities for the choice alone, `[experts]`.
    let choiceBias: FloatVector?
    /// How experts are chosen and weighted.
    let routing: ExpertRouting
    /// `[experts, feedForwardLength, embeddingLength]`
    let gate: ExpertProjection
    /// `[experts, feedForwardLength, embeddingLength]`
    let up: ExpertProjection
    /// `[experts, embeddingLength, feedForwardLength]`
    let down: ExpertProjection
    /// The activation of the gates.
    var unit: GatedUnit = .swiGLU
    /// The shared expert, if there is one.
    var shared: SharedExpert?

    /// - Parameter x: `[n, embeddingLength]`, normalised.
    /// - Returns: `[n, embeddingLength]`.
    func callAsFunction(_ x: Rows, _ pass: ForwardPass, _ compute: Compute) -> Rows {
        var input = Activations(x, pass.kind)
        let logits = router.routerLogits(&input, compute, pass.adapterScales)
        let choice = compute.chooseExperts(logits, bias: choiceBias?.base, routing)
        let groups = compute.group(choice)
        let scales = isChanged ? pass.adapterScales?.of(groups, compute) : nil
        var sorted = Activations(compute.gather(x, groups), pass.kind)
        var gated = Activations(hidden(&sorted, groups, compute, scales), pass.kind)
        let y = compute.combine(down(&gated, groups, compute, scales), choice, groups)
        shared?.add(to: y, x, pass, compute)
        return y
    }

    /// Whether adapters change any of the experts.
    private var isChanged: Bool { gate.changes != nil || up.changes != nil || down.changes != nil }

    /// `activation(Wgate[e] · x) ⊙ (Wup[e] · x)` for the rows of each expert.
    private func hidden(
        _ x: inout Activations, _ groups: ExpertGroups, _ compute: Compute, _ scales: AdapterScales?
    ) -> Rows {
        if gate.isPlain, up.isPlain {
            return compute.gatedLinear(gate: gate.weights, up: up.weights, &x, groups, unit)
        }
        let hidden = gate(&x, groups, compute, scales)
        compute.gate(hidden, up(&x, groups, compute, scales), unit)
        return hidden
    }
}

/// A matrix of every expert, and the biases that some models add: `y = W[e] · x + b[e]`; and what adapters change.
struct ExpertProjection: Sendable {
    let weights: ExpertMatrices
    /// `[experts, weights.rows]`
    let bias: FloatVector?
    /// What adapters add; `nil` if none does.
    let changes: LowRankChangeList<ExpertMatrices>?

    /// Whether the projection is its matrices and nothing else.
    var isPlain: Bool { bias == nil && changes == nil }

    /// - Parameters:
    ///   - x: `[slots, columns]`.
    ///   - scales: How much adapters weigh in each slot; `nil` if none changes the experts.
    /// - Returns: `[slots, weights.rows]`.
    func callAsFunction(
        _ x: inout Activations, _ groups: ExpertGroups, _ compute: Compute, _ scales: AdapterScales?
    ) -> Rows {
        let y = compute.linear(weights, &x, groups)
        if let bias { compute.addBiases(bias.base, to: y, groups) }
        assert(changes == nil || scales != nil, "experts of a model with adapters need their scales")
        if let changes, let scales { changes.add(to: y, &x, groups, scales, compute) }
        return y
    }
}
