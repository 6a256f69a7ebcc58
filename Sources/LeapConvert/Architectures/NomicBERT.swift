import LeapJSON

extension ArchitectureRecipe {
    /// nomic-embed-text 1 and 1.5: BERT with rotary positions and a gated network.
    static let nomicbert = ArchitectureRecipe(
        name: "nomic-bert", classes: ["NomicBertModel"],
        outerNames: [
            "embeddings.word_embeddings": "token_embd", "embeddings.token_type_embeddings": "token_types",
            "emb_ln": "token_embd_norm",
        ],
        layerPrefix: "encoder.layers.",
        layerNames: [
            "attn.Wqkv": "attn_qkv", "attn.out_proj": "attn_output", "norm1": "attn_output_norm",
            "mlp.fc11": "ffn_up", "mlp.fc12": "ffn_gate", "mlp.fc2": "ffn_down", "norm2": "layer_output_norm",
        ],
        ignoredPrefixes: ["pooler.dense.", "cls.predictions", "embeddings.position_ids"], droppedPrefix: "bert.",
        defaults: ["layer_norm_eps": 1e-12, "rotary_emb_base": 1_000], vocabulary: .wordPiece,
        writeKeys: { configuration, keys throws(ConversionError) in
            try refuseOtherNomicBERT(configuration)
            keys.set("attention.causal", false)
            // Positions beyond the training context need a scaling for which GGUF has no key.
            if let trained = try configuration.integerIfPresent("max_trained_positions") {
                let length = try configuration.integer("max_position_embeddings", "n_positions")
                keys.set("context_length", min(length, trained))
            }
        })

    private static func refuseOtherNomicBERT(_ configuration: Configuration) throws(ConversionError) {
        let expected: [(key: String, value: JSONValue)] = [
            ("activation_function", "swiglu"), ("causal", .bool(false)), ("prenorm", .bool(false)),
            ("parallel_block", .bool(false)), ("use_rms_norm", .bool(false)), ("qkv_proj_bias", .bool(false)),
            ("mlp_fc1_bias", .bool(false)), ("mlp_fc2_bias", .bool(false)), ("rotary_emb_interleaved", .bool(false)),
        ]
        for (key, value) in expected {
            try configuration.refuse(key, unless: { $0 == value }, "only \(value.text()) is supported")
        }
        try configuration.refuse(
            "rotary_emb_fraction", unless: { $0.double == 1 }, "partial rotary embedding is not supported")
        try configuration.refuse(
            "rotary_emb_scale_base", unless: { _ in false },
            "attention scores that decay with distance (xPos) are not supported")
        try configuration.refuse(
            "moe_every_n_layers", unless: { $0 == 0 }, "mixture of experts is not supported for this architecture")
    }
}
