import LeapJSON

extension ArchitectureRecipe {
    /// The language model of Qwen 3.5, also from files of multimodal models: the gated delta rule in most layers, gated
    /// attention in the others.
    static let qwen35 = ArchitectureRecipe(
        name: "qwen35", classes: ["Qwen3_5ForCausalLM", "Qwen3_5ForConditionalGeneration"],
        layerNames: qwen35LayerNames + LayerNames.gatedMLP, ignoredPrefixes: qwen35IgnoredPrefixes, normAddend: 1,
        arrange: arrangeDeltaNet, defaults: qwen35Defaults,
        writeKeys: { configuration, keys throws(ConversionError) in try writeQwen35Keys(configuration, &keys) })

    /// Qwen 3.5 with a mixture of experts in every layer, including a shared expert.
    static let qwen35moe = ArchitectureRecipe(
        name: "qwen35moe", classes: ["Qwen3_5MoeForCausalLM", "Qwen3_5MoeForConditionalGeneration"],
        layerNames: qwen35LayerNames + [
            "mlp.gate": "ffn_gate_inp", "mlp.shared_expert_gate": "ffn_gate_inp_shexp",
            "mlp.shared_expert.gate_proj": "ffn_gate_shexp", "mlp.shared_expert.up_proj": "ffn_up_shexp",
            "mlp.shared_expert.down_proj": "ffn_down_shexp",
        ],
        ignoredPrefixes: qwen35IgnoredPrefixes,
        experts: ExpertNames(
            prefix: "mlp.experts.",
            matrices: ["gate_proj": "ffn_gate_exps", "up_proj": "ffn_up_exps", "down_proj": "ffn_down_exps"],
            stacks: ["mlp.experts.down_proj": "ffn_down_exps"], gatesAndUps: "mlp.experts.gate_up_proj"),
        normAddend: 1, arrange: arrangeDeltaNet, defaults: qwen35Defaults,
        writeKeys: { configuration, keys throws(ConversionError) in
            try writeQwen35Keys(configuration, &keys)
            try configuration.refuse("mlp_only_layers", unless: { $0 == [] }, "all layers must have experts")
            try configuration.refuse(
                "norm_topk_prob", unless: { $0 == .bool(true) }, "expert weights must be normalised to a sum of 1")
            keys.set("expert_feed_forward_length", try configuration.integer("moe_intermediate_size"))
            keys.set(
                "expert_shared_feed_forward_length", try configuration.integer("shared_expert_intermediate_size"))
        })

    private static let qwen35LayerNames =
        LayerNames.attention + LayerNames.headNorms + [
            "input_layernorm": "attn_norm", "post_attention_layernorm": "post_attention_norm",
            "linear_attn.in_proj_qkv": "attn_qkv", "linear_attn.in_proj_z": "attn_gate",
            "linear_attn.in_proj_a": "ssm_alpha", "linear_attn.in_proj_b": "ssm_beta",
            "linear_attn.conv1d": "ssm_conv1d", "linear_attn.norm": "ssm_norm", "linear_attn.out_proj": "ssm_out",
            "linear_attn.A_log": "ssm_a", "linear_attn.dt_bias": "ssm_dt.bias",
        ]

    /// The vision encoder and the multi-token prediction blocks, which the engine does not use.
    private static let qwen35IgnoredPrefixes = ["visual.", "model.visual.", "mtp.", "model.mtp."]

    private static let qwen35Defaults: [String: JSONValue] = [
        "rms_norm_eps": 1e-6, "head_dim": 256, "linear_conv_kernel_dim": 4, "linear_key_head_dim": 128,
        "linear_value_head_dim": 128, "linear_num_key_heads": 16, "linear_num_value_heads": 32,
        "full_attention_interval": 4, "partial_rotary_factor": 0.25,
    ]

    private static func writeQwen35Keys(
        _ configuration: Configuration, _ keys: inout KeyWriter
    ) throws(ConversionError) {
        try configuration.refuse(
            "attn_output_gate", unless: { $0 == .bool(true) }, "attention without output gates is not supported")
        let length = try configuration.integer("linear_key_head_dim", in: 1...4_096)
        try configuration.refuse(
            "linear_value_head_dim", unless: { $0.wholeNumber == length },
            "value heads must have the same size as key heads, \(length)")
        let heads = try deltaHeads(configuration)
        keys.set("ssm.conv_kernel", try configuration.integer("linear_conv_kernel_dim"))
        keys.set("ssm.state_size", length)
        keys.set("ssm.group_count", heads.keys)
        keys.set("ssm.time_step_rank", heads.values)
        keys.set("ssm.inner_size", heads.values * length)
        if let flags = try recurrentLayers(configuration) { keys.set("attention.recurrent_layers", flags) }
        keys.set("full_attention_interval", try configuration.integer("full_attention_interval"))
        let rope = try configuration.rope
        let rotated = try Double(configuration.headLength) * (try rope.partialFactor ?? 0.25)
        keys.set("rope.dimension_count", Int(rotated))
        let sections = rope.integers("mrope_section") ?? [11, 11, 10]
        keys.set("rope.dimension_sections", Array((sections + [0, 0, 0, 0]).prefix(4)))
    }

    /// Heads of the delta rule.
    private static func deltaHeads(
        _ configuration: Configuration
    ) throws(ConversionError) -> (keys: Int, values: Int) {
        let keys = try configuration.integer("linear_num_key_heads", in: 1...4_096)
        let values = try configuration.integer("linear_num_value_heads", in: 1...4_096)
        guard values.isMultiple(of: keys) else {
            throw .configuration(
                path: configuration.path, key: "linear_num_value_heads",
                problem: "is \(values), but must be a multiple of 'linear_num_key_heads', \(keys)")
        }
        return (keys, values)
    }

    /// Whether each layer has the delta rule; `nil` if the file relies on `full_attention_interval` alone.
    private static func recurrentLayers(_ configuration: Configuration) throws(ConversionError) -> [Bool]? {
        guard let types = configuration.strings("layer_types") else { return nil }
        let layers = try configuration.layers
        guard types.count == layers, types.allSatisfy({ ["linear_attention", "full_attention"].contains($0) }) else {
            throw .configuration(
                path: configuration.path, key: "layer_types",
                problem: "must have \(layers) entries, each 'linear_attention' or 'full_attention', but is \(types)")
        }
        return types.map { $0 == "linear_attention" }
    }

    /// In GGUF files, value heads are ordered so that head h has the keys of head h mod keyHeads, and decays are −exp(A).
    @Sendable private static func arrangeDeltaNet(
        _ name: String, _ tensor: StoredTensor, _ configuration: Configuration
    ) throws(ConversionError) -> Arrangement {
        let heads = try deltaHeads(configuration)
        let keyRows = 2 * heads.keys * (try configuration.integer("linear_key_head_dim", in: 1...4_096))
        let inner = name.split(separator: ".", maxSplits: 2).last.map(String.init) ?? name
        func order(after first: Int, of count: Int?) throws(ConversionError) -> RowOrder {
            guard let count, count > first, (count - first).isMultiple(of: heads.values) else {
                throw .tensor(
                    name: tensor.name,
                    problem: "has shape \(tensor.shape), which cannot be divided into \(heads.values) heads")
            }
            return .sharedHeads(first: first, keyHeads: heads.keys, valueHeads: heads.values)
        }
        switch inner {
        case "attn_qkv.weight", "ssm_conv1d.weight":
            return Arrangement(rows: try order(after: keyRows, of: tensor.shape.first))
        case "attn_gate.weight", "ssm_alpha.weight", "ssm_beta.weight", "ssm_dt.bias":
            return Arrangement(rows: try order(after: 0, of: tensor.shape.first))
        case "ssm_a":
            return Arrangement(rows: try order(after: 0, of: tensor.shape.first), change: .negativeExponential)
        case "ssm_out.weight": return Arrangement(columns: try order(after: 0, of: tensor.shape.last))
        default: return Arrangement()
        }
    }
}
