import LeapJSON

extension ArchitectureRecipe {
    /// BERT, and the sentence encoders derived from it.
    static let bert = ArchitectureRecipe(
        name: "bert", classes: ["BertModel", "BertForMaskedLM"],
        outerNames: [
            "embeddings.word_embeddings": "token_embd", "embeddings.position_embeddings": "position_embd",
            "embeddings.token_type_embeddings": "token_types", "embeddings.LayerNorm": "token_embd_norm",
        ],
        layerPrefix: "encoder.layer.",
        layerNames: [
            "attention.self.query": "attn_q", "attention.self.key": "attn_k", "attention.self.value": "attn_v",
            "attention.output.dense": "attn_output", "attention.output.LayerNorm": "attn_output_norm",
            "intermediate.dense": "ffn_up", "output.dense": "ffn_down", "output.LayerNorm": "layer_output_norm",
        ],
        ignoredPrefixes: ["embeddings.position_ids", "pooler.dense.", "cls.predictions", "cls.seq_relationship"],
        droppedPrefix: "bert.", activations: ["gelu"],
        defaults: ["layer_norm_eps": 1e-12, "intermediate_size": 3_072],
        vocabulary: .wordPiece,
        writeKeys: { configuration, keys throws(ConversionError) in
            try configuration.refuse(
                "position_embedding_type", unless: { $0 == "absolute" }, "only absolute positions are supported")
            try configuration.refuse(
                "is_decoder", unless: { $0 == .bool(false) }, "causal attention is not supported for this architecture")
            keys.set("attention.causal", false)
        })
}
