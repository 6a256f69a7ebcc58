import LeapJSON

extension ArchitectureRecipe {
    /// Qwen 2 and 2.5.
    static let qwen2 = ArchitectureRecipe(
        name: "qwen2", classes: ["Qwen2ForCausalLM", "Qwen2Model"], layerNames: LayerNames.llama,
        defaults: ["rms_norm_eps": 1e-6],
        writeKeys: { configuration, _ throws(ConversionError) in try refuseWindows(configuration) })

    /// Qwen 3: norms of every head's queries and keys.
    static let qwen3 = ArchitectureRecipe(
        name: "qwen3", classes: ["Qwen3ForCausalLM", "Qwen3Model"],
        layerNames: LayerNames.llama + LayerNames.headNorms,
        defaults: ["rms_norm_eps": 1e-6, "head_dim": 128],
        writeKeys: { configuration, _ throws(ConversionError) in try refuseWindows(configuration) })

    /// Qwen 3 with mixtures of experts in every layer.
    static let qwen3moe = ArchitectureRecipe(
        name: "qwen3moe", classes: ["Qwen3MoeForCausalLM"],
        layerNames: LayerNames.llama + LayerNames.headNorms + ["mlp.gate": "ffn_gate_inp"],
        experts: ExpertNames(
            prefix: "mlp.experts.",
            matrices: ["gate_proj": "ffn_gate_exps", "up_proj": "ffn_up_exps", "down_proj": "ffn_down_exps"],
            stacks: ["mlp.experts.down_proj": "ffn_down_exps"], gatesAndUps: "mlp.experts.gate_up_proj"),
        defaults: ["rms_norm_eps": 1e-6, "norm_topk_prob": false, "num_experts_per_tok": 8],
        writeKeys: { configuration, keys throws(ConversionError) in
            try refuseWindows(configuration)
            try configuration.refuse(
                "norm_topk_prob", unless: { $0 == .bool(true) }, "expert weights must be normalised to a sum of 1")
            try configuration.refuse("decoder_sparse_step", unless: { $0 == 1 }, "all layers must have experts")
            try configuration.refuse("mlp_only_layers", unless: { $0 == [] }, "all layers must have experts")
            keys.set("expert_feed_forward_length", try configuration.integer("moe_intermediate_size"))
        })

    private static func refuseWindows(_ configuration: Configuration) throws(ConversionError) {
        try configuration.refuse(
            "use_sliding_window", unless: { $0 == .bool(false) },
            "sliding windows are not supported for this architecture; set it to false if all texts fit into the window")
    }
}
