import LeapJSON

extension ArchitectureRecipe {
    /// ModernBERT, and the sentence encoders derived from it. The head that predicts masked tokens is omitted.
    static let modernbert = ArchitectureRecipe(
        name: "modern-bert", classes: ["ModernBertModel", "ModernBertForMaskedLM"],
        outerNames: [
            "embeddings.tok_embeddings": "token_embd", "embeddings.norm": "token_embd_norm",
            "final_norm": "output_norm",
        ],
        layerPrefix: "layers.",
        layerNames: [
            "attn_norm": "attn_norm", "attn.Wqkv": "attn_qkv", "attn.Wo": "attn_output", "mlp_norm": "ffn_norm",
            "mlp.Wi": "ffn_up", "mlp.Wo": "ffn_down",
        ],
        ignoredPrefixes: ["head.", "decoder."], droppedPrefix: "model.", rotaryKinds: ["default"],
        rotaryLayers: ["full_attention", "sliding_attention"], activations: ["gelu", "silu"],
        defaults: [
            "norm_eps": 1e-5, "hidden_activation": "gelu", "local_attention": 128,
            "global_rope_theta": 160_000, "local_rope_theta": 10_000,
        ],
        writeKeys: { configuration, keys throws(ConversionError) in
            try refuseOtherModernBERT(configuration)
            keys.set("attention.causal", false)
            keys.set("attention.sliding_window", try configuration.integer("local_attention"))
            if let period = try configuration.integerIfPresent("global_attn_every_n_layers", in: 1...65_536) {
                keys.set("attention.sliding_window_pattern", period)
            }
            keys.set("rope.scaling.type", "none")
            keys.set("vocab_size", try configuration.integer("vocab_size"))
            if let name = configuration.value("hidden_activation")?.string { keys.set("hidden_activation", name) }
            if configuration.value(["layer_norm_eps", "layer_norm_epsilon"]) == nil,
                let epsilon = try configuration.floatIfPresent("norm_eps")
            {
                keys.set("attention.layer_norm_epsilon", epsilon)
            }
            switch configuration.value("classifier_pooling") {
            case "mean"?: keys.set("classifier.pooling_type", 1)
            case "cls"?: keys.set("classifier.pooling_type", 2)
            default: break
            }
        })

    private static func refuseOtherModernBERT(_ configuration: Configuration) throws(ConversionError) {
        for key in ["norm_bias", "attention_bias", "mlp_bias"] {
            try configuration.refuse(key, unless: { $0 == .bool(false) }, "biases are not supported")
        }
        let period = try configuration.integerIfPresent("global_attn_every_n_layers", in: 1...65_536) ?? 3
        let usual = (0..<(try configuration.layers)).map { layer -> JSONValue in
            layer.isMultiple(of: period) ? "full_attention" : "sliding_attention"
        }
        try configuration.refuse(
            "layer_types", unless: { $0.array == usual },
            "one layer in \(period), starting with the first, must use full attention")
    }
}
