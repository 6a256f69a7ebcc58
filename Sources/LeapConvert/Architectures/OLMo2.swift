import LeapJSON

extension ArchitectureRecipe {
    /// OLMo 2 and 3: norms after the branches, and norms over whole rows of queries and keys; version 3 has sliding
    /// windows.
    static let olmo2 = ArchitectureRecipe(
        name: "olmo2", classes: ["Olmo2ForCausalLM", "Olmo3ForCausalLM"],
        layerNames: LayerNames.attention + LayerNames.headNorms + LayerNames.gatedMLP + [
            "post_attention_layernorm": "post_attention_norm", "post_feedforward_layernorm": "post_ffw_norm",
        ],
        defaults: ["rms_norm_eps": 1e-5],
        writeKeys: { configuration, keys throws(ConversionError) in
            guard let window = try configuration.integerIfPresent("sliding_window") else { return }
            keys.set("attention.sliding_window", window)
            keys.set("attention.sliding_window_pattern", try configuration.windowedLayers(period: 4))
        })
}
