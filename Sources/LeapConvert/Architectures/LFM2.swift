import LeapJSON

extension ArchitectureRecipe {
    /// LFM2: short convolutions and attention, according to the list of layer types.
    static let lfm2 = ArchitectureRecipe(
        name: "lfm2", classes: ["Lfm2ForCausalLM", "LFM2ForCausalLM", "Lfm2Model", "Lfm2BidirectionalModel"],
        outerNames: lfm2OuterNames, layerNames: lfm2LayerNames,
        defaults: lfm2Defaults, denseKeys: .length, preTokenizerName: "lfm2",
        writeKeys: { configuration, keys throws(ConversionError) in
            try writeLFM2Keys(configuration, &keys)
            keys.set("feed_forward_length", try lfm2FeedForwardLength(configuration))
            if configuration.classes.first == "Lfm2BidirectionalModel" { keys.set("attention.causal", false) }
        })

    /// LFM2 with mixtures of experts.
    static let lfm2moe = ArchitectureRecipe(
        name: "lfm2moe", classes: ["Lfm2MoeForCausalLM"],
        outerNames: lfm2OuterNames,
        layerNames: lfm2LayerNames + [
            "feed_forward.gate": "ffn_gate_inp", "feed_forward.expert_bias": "exp_probs_b.bias",
        ],
        experts: ExpertNames(
            prefix: "feed_forward.experts.",
            matrices: ["w1": "ffn_gate_exps", "w2": "ffn_down_exps", "w3": "ffn_up_exps"],
            stacks: ["feed_forward.experts.down_proj": "ffn_down_exps"],
            gatesAndUps: "feed_forward.experts.gate_up_proj"),
        defaults: lfm2Defaults.merging(["num_dense_layers": 2, "num_experts_per_tok": 4]) { _, last in last },
        preTokenizerName: "lfm2",
        writeKeys: { configuration, keys throws(ConversionError) in
            try configuration.refuse(
                "norm_topk_prob", unless: { $0 == .bool(true) }, "expert weights must be normalised to a sum of 1")
            try configuration.refuse("routed_scaling_factor", unless: { $0.double == 1 }, "only 1 is supported")
            try configuration.refuse("use_expert_bias", unless: { $0 == .bool(true) }, "only true is supported")
            try writeLFM2Keys(configuration, &keys)
            keys.set("expert_feed_forward_length", try configuration.integer("moe_intermediate_size"))
            keys.set("leading_dense_block_count", try configuration.integer("num_dense_layers", in: 0...65_536))
            keys.set("expert_gating_func", 2)
        })

    private static let lfm2OuterNames = OuterNames.decoder + ["model.embedding_norm": "token_embd_norm"]

    private static let lfm2Defaults: [String: JSONValue] = [
        "norm_eps": 1e-5, "conv_L_cache": 3, "rope_theta": 1_000_000,
    ]

    private static let lfm2LayerNames =
        LayerNames.attention + [
            "operator_norm": "attn_norm", "ffn_norm": "ffn_norm", "feed_forward.w1": "ffn_gate",
            "feed_forward.w2": "ffn_down", "feed_forward.w3": "ffn_up", "self_attn.out_proj": "attn_output",
            "self_attn.q_layernorm": "attn_q_norm", "self_attn.k_layernorm": "attn_k_norm",
            "conv.in_proj": "shortconv.in_proj", "conv.conv": "shortconv.conv", "conv.out_proj": "shortconv.out_proj",
        ]

    private static func writeLFM2Keys(
        _ configuration: Configuration, _ keys: inout KeyWriter
    ) throws(ConversionError) {
        try configuration.refuse(
            "conv_bias", unless: { $0 == .bool(false) }, "convolution biases are not supported")
        let layers = try configuration.layers
        let heads = try configuration.keyValueHeads
        let attends = try attentionLayers(configuration, count: layers)
        keys.set("attention.head_count_kv", attends.map { $0 ? heads : 0 })
        keys.set("vocab_size", try configuration.integer("vocab_size"))
        keys.set("shortconv.l_cache", try configuration.integer("conv_L_cache"))
    }

    /// Which layers have attention: by their types or, in older files, by a list of indices.
    private static func attentionLayers(_ configuration: Configuration, count: Int) throws(ConversionError) -> [Bool] {
        if let types = configuration.strings("layer_types") {
            guard types.count == count, types.allSatisfy({ ["conv", "full_attention"].contains($0) }) else {
                throw .configuration(
                    path: configuration.path, key: "layer_types",
                    problem: "must have \(count) entries, each 'conv' or 'full_attention', but is \(types)")
            }
            return types.map { $0 == "full_attention" }
        }
        guard let indices = configuration.value("full_attn_idxs")?.naturalNumbers else {
            throw .configuration(path: configuration.path, key: "layer_types", problem: "is missing")
        }
        return (0..<count).map { indices.contains($0) }
    }

    /// The width of the feed-forward network, which older files adjust: two thirds of the stated value, times a
    /// multiplier, rounded up to a multiple.
    private static func lfm2FeedForwardLength(_ configuration: Configuration) throws(ConversionError) -> Int {
        let length = try configuration.integer("block_ff_dim", "intermediate_size")
        guard configuration.bool("block_auto_adjust_ff_dim") ?? true else { return length }
        let multiple = try configuration.integerIfPresent("block_multiple_of") ?? 256
        let key = "block_ffn_dim_multiplier"
        let multiplier = try configuration.factor(configuration.value(key), of: key, upTo: 1024) ?? 1
        let adjusted = Int(multiplier * Double(2 * length / 3))
        return (adjusted + multiple - 1) / multiple * multiple
    }
}
