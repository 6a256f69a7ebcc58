import LeapJSON

extension ArchitectureRecipe {
    /// EmbeddingGemma: Gemma 3 with bidirectional attention, and with matrices after pooling.
    static let gemmaembedding = ArchitectureRecipe(
        name: "gemma-embedding", classes: ["Gemma3TextModel"], layerNames: gemma3.layerNames,
        rotaryLayers: gemma3.rotaryLayers, normAddend: 1, activations: gemma3.activations, defaults: gemma3.defaults,
        writeKeys: { configuration, keys throws(ConversionError) in
            guard configuration.bool("use_bidirectional_attention") == true else {
                throw .unsupportedFeature(
                    path: configuration.path, key: "use_bidirectional_attention", value: "false",
                    reason: "models of this class need bidirectional attention")
            }
            let length = try configuration.headLength
            try configuration.refuse(
                "query_pre_attn_scalar", unless: { $0.wholeNumber == length },
                "must be the head size, \(length)")
            try writeGemma3Keys(configuration, &keys)
        })
}
