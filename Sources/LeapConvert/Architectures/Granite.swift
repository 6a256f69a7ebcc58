import LeapJSON

extension ArchitectureRecipe {
    /// Granite, the dense models: Llama with four factors.
    static let granite = ArchitectureRecipe(
        name: "granite", classes: ["GraniteForCausalLM"], layerNames: LayerNames.llama, pairsNeighbours: true,
        defaults: ["rms_norm_eps": 1e-6],
        writeKeys: { configuration, keys throws(ConversionError) in
            keys.remove("attention.key_length")
            keys.remove("attention.value_length")
            keys.set("vocab_size", try configuration.integer("vocab_size"))
            keys.set("rope.dimension_count", try configuration.width / configuration.heads)
            let factors = [
                ("attention_multiplier", "attention.scale"), ("embedding_multiplier", "embedding_scale"),
                ("residual_multiplier", "residual_scale"), ("logits_scaling", "logit_scale"),
            ]
            for (theirs, ours) in factors {
                if let value = try configuration.floatIfPresent(theirs), value != 0 { keys.set(ours, value) }
            }
        },
        extraTensors: { configuration throws(ConversionError) in try llama3Divisors(configuration) })
}
