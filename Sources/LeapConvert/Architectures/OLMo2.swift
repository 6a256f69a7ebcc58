import LeapJSON

extension ArchitectureRecipe {
    /// OLMo 2: norms after the branches, and norms over whole rows of queries and keys.
    static let olmo2 = ArchitectureRecipe(
        name: "olmo2", classes: ["Olmo2ForCausalLM"], layerNames: olmoLayerNames, defaults: ["rms_norm_eps": 1e-5])

    /// OLMo 3: the same with sliding windows in three of four layers.
    static let olmo3 = ArchitectureRecipe(
        name: "olmo2", classes: ["Olmo3ForCausalLM"], layerNames: olmoLayerNames, rotaryLayers: ["full_attention"],
        defaults: ["rms_norm_eps": 1e-5, "rope_theta": 500_000, "sliding_window": 4_096],
        writeKeys: { configuration, keys throws(ConversionError) in
            keys.set("attention.sliding_window", try configuration.integer("sliding_window"))
            keys.set("attention.sliding_window_pattern", try configuration.windowedLayers(period: 4))
        })

    private static let olmoLayerNames =
        LayerNames.attention + LayerNames.headNorms + LayerNames.gatedMLP + [
            "post_attention_layernorm": "post_attention_norm", "post_feedforward_layernorm": "post_ffw_norm",
        ]
}
