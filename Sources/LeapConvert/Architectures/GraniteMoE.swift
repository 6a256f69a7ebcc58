import LeapJSON

extension ArchitectureRecipe {
    /// Granite with mixtures of experts and, in some models, a shared expert.
    static let granitemoe = ArchitectureRecipe(
        name: "granitemoe",
        classes: ["GraniteMoeForCausalLM", "GraniteMoeSharedForCausalLM", "GraniteMoeHybridForCausalLM"],
        applies: { !$0.isGraniteHybrid && $0.hasExperts },
        layerNames: LayerNames.attention + LayerNames.norms + graniteExpertNames, halves: graniteExpertHalves,
        rotaryKinds: RotaryKinds.llama, pairsNeighbours: true,
        defaults: graniteDefaults.merging(graniteExpertDefaults) { _, last in last },
        writeKeys: { configuration, keys throws(ConversionError) in
            try writeGraniteKeys(configuration, &keys)
            try writeGraniteNetworkKeys(configuration, &keys)
        },
        extraTensors: { configuration throws(ConversionError) in try graniteDivisors(configuration) })

    /// Stacks of experts, by the names in published files and in newer libraries.
    static let graniteExpertNames = [
        "block_sparse_moe.router.layer": "ffn_gate_inp", "block_sparse_moe.router": "ffn_gate_inp",
        "block_sparse_moe.output_linear": "ffn_down_exps",
        "block_sparse_moe.experts.down_proj": "ffn_down_exps.weight",
        "shared_mlp.output_linear": "ffn_down_shexp",
    ]

    static let graniteExpertHalves: [String: (gates: String, ups: String)] = [
        "block_sparse_moe.input_linear": ("ffn_gate_exps", "ffn_up_exps"),
        "block_sparse_moe.experts.gate_up_proj": ("ffn_gate_exps", "ffn_up_exps"),
        "shared_mlp.input_linear": ("ffn_gate_shexp", "ffn_up_shexp"),
    ]
}
