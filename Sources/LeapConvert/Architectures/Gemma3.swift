import LeapJSON

extension ArchitectureRecipe {
    /// The language model of Gemma 3, also from files of multimodal models.
    static let gemma3 = ArchitectureRecipe(
        name: "gemma3", classes: ["Gemma3ForCausalLM", "Gemma3ForConditionalGeneration"],
        layerNames: LayerNames.attention + LayerNames.headNorms + LayerNames.gatedMLP + [
            "input_layernorm": "attn_norm", "post_attention_layernorm": "post_attention_norm",
            "pre_feedforward_layernorm": "ffn_norm", "post_feedforward_layernorm": "post_ffw_norm",
        ],
        ignoredPrefixes: [
            "vision_tower.", "multi_modal_projector.", "model.vision_tower.", "model.multi_modal_projector.",
        ],
        rotaryLayers: ["full_attention"], normAddend: 1, activations: ["gelu_pytorch_tanh"],
        defaults: [
            "max_position_embeddings": 131_072, "num_attention_heads": 8, "num_key_value_heads": 4, "head_dim": 256,
            "rms_norm_eps": 1e-6, "rope_theta": 1_000_000, "rope_local_base_freq": 10_000, "sliding_window": 4_096,
            "intermediate_size": 9_216, "hidden_size": 2_304, "num_hidden_layers": 26, "vocab_size": 262_208,
            "hidden_activation": "gelu_pytorch_tanh", "query_pre_attn_scalar": 256,
        ],
        writeKeys: { configuration, keys throws(ConversionError) in
            try configuration.refuse(
                "use_bidirectional_attention", unless: { $0 == .bool(false) },
                "only embedding models, of class Gemma3TextModel, can have bidirectional attention")
            try writeGemma3Keys(configuration, &keys)
        })

    /// Writes the keys of models that write, or that only read.
    static func writeGemma3Keys(_ configuration: Configuration, _ keys: inout KeyWriter) throws(ConversionError) {
        try configuration.refuseOtherScaleOfScores()
        try configuration.refuse(
            "attn_logit_softcapping", unless: { _ in false }, "soft-capping of attention scores is not supported")
        if let cap = try configuration.floatIfPresent("final_logit_softcapping"), cap != 0 {
            keys.set("final_logit_softcapping", cap)
        }
        let period = try configuration.integerIfPresent("sliding_window_pattern", in: 1...65_536) ?? usualPeriod
        let windowed = try configuration.windowedLayers(period: period)
        guard windowed.contains(true) else { return }
        keys.set("attention.sliding_window", try configuration.integer("sliding_window"))
        // Written only if it differs from the usual pattern, which engines assume without the key.
        if windowed != Configuration.windowed(windowed.count, period: usualPeriod) {
            keys.set("attention.sliding_window_pattern", windowed)
        }
    }
}

/// In this architecture, every sixth layer has global attention.
private let usualPeriod = 6

extension Configuration {
    /// Rejects attention scales other than those that engines assume, because GGUF has no key for them: 1 / √head
    /// length and, for the one size with 62 layers, 27B, 1 / √(model width / heads).
    fileprivate func refuseOtherScaleOfScores() throws(ConversionError) {
        let isLargest = try layers == 62
        let (length, width, heads) = (try headLength, try width, try heads)
        let divisor = isLargest ? Double(width) / Double(heads) : Double(length)
        let what = isLargest ? "the width divided by the number of heads, because there are 62 layers" : "the head size"
        try refuse(
            "query_pre_attn_scalar", unless: { $0.double == divisor },
            "must be \(what), \(Int(exactly: divisor).map(String.init) ?? String(divisor))")
    }
}
