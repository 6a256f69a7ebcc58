import LeapJSON

extension ArchitectureRecipe {
    /// gpt-oss: experts in MXFP4, which are kept unchanged, or in plain floats.
    static let gptoss = ArchitectureRecipe(
        name: "gpt-oss", classes: ["GptOssForCausalLM"],
        layerNames: LayerNames.attention + [
            "input_layernorm": "attn_norm", "post_attention_layernorm": "post_attention_norm",
            "self_attn.sinks": "attn_sinks.weight", "mlp.router": "ffn_gate_inp",
        ],
        jointExpertsPrefix: "mlp.experts.", quantizations: ["mxfp4"],
        defaults: [
            "rms_norm_eps": 1e-5, "head_dim": 64, "sliding_window": 128, "rope_theta": 150_000,
            "num_experts_per_tok": 4,
            "rope_parameters": [
                "rope_type": "yarn", "factor": 32, "beta_fast": 32, "beta_slow": 1, "truncate": false,
                "original_max_position_embeddings": 4_096,
            ],
        ],
        writeKeys: { configuration, keys throws(ConversionError) in
            try refuseOtherGPTOSS(configuration)
            keys.set("attention.sliding_window", try configuration.integer("sliding_window"))
            keys.set("expert_feed_forward_length", try configuration.integer("intermediate_size"))
        })

    private static func refuseOtherGPTOSS(_ configuration: Configuration) throws(ConversionError) {
        let usual = (0..<(try configuration.layers)).map { layer -> JSONValue in
            layer.isMultiple(of: 2) ? "sliding_attention" : "full_attention"
        }
        try configuration.refuse(
            "layer_types", unless: { $0.array == usual },
            "every other layer, starting with the first, must use a sliding window")
        try configuration.refuse("swiglu_limit", unless: { $0.double == 7 }, "only 7 is supported")
        try configuration.refuse("swiglu_alpha", unless: { $0.double == 1.702 }, "only 1.702 is supported")
        try configuration.refuse(
            "attention_bias", unless: { $0 == .bool(true) }, "the attention projections must have biases")
        let rope = try configuration.rope
        guard rope.kind != "yarn" || rope.bool("truncate") == false else {
            throw .unsupportedFeature(
                path: configuration.path, key: "rope_parameters.truncate", value: "true",
                reason: "rounding the ends of the YaRN ramp is not supported for this architecture")
        }
    }
}
