import LeapJSON

extension ArchitectureRecipe {
    /// Ministral 3: Llama with an explicit head length, YaRN, and queries that grow with the position.
    static let ministral3 = ArchitectureRecipe(
        name: "mistral3", classes: mistral3Classes, applies: { !$0.hasMistralText },
        layerNames: LayerNames.llama, ignoredPrefixes: mistral3IgnoredPrefixes,
        rotaryKinds: RotaryKinds.llama, pairsNeighbours: true, defaults: ["rms_norm_eps": 1e-5, "head_dim": 128],
        writeKeys: { configuration, keys throws(ConversionError) in
            try keys.writeLlamaKeys(configuration)
            try keys.writeCommonWindow(configuration)
            guard configuration.value("model_type") == "ministral3" else { return }
            let rope = try configuration.rope
            guard rope.kind == "yarn", let growth = rope.float("llama_4_scaling_beta") else {
                throw .configuration(
                    path: configuration.path, key: "rope_parameters",
                    problem: "must be of type yarn, with 'llama_4_scaling_beta'")
            }
            // Readers of this architecture's files know the factor on rotated values in another form, for 'mscale' of 1.
            if rope.statedTemperature == nil, rope.float("mscale") == 1, let multiplier = rope.float("mscale_all_dim") {
                keys.remove("rope.scaling.yarn_attn_factor")
                keys.set("rope.scaling.yarn_log_multiplier", multiplier)
            }
            keys.set("attention.temperature_scale", growth)
        },
        extraTensors: { configuration throws(ConversionError) in try llama3Divisors(configuration) })

    /// Mistral Small 3.1, whose language model is of Mistral's class.
    static let mistral3 = ArchitectureRecipe(
        name: "mistral3", classes: mistral3Classes, applies: \.hasMistralText,
        layerNames: LayerNames.llama, ignoredPrefixes: mistral3IgnoredPrefixes,
        rotaryKinds: RotaryKinds.llama, pairsNeighbours: true, defaults: ["rms_norm_eps": 1e-6],
        writeKeys: { configuration, keys throws(ConversionError) in
            try keys.writeLlamaKeys(configuration)
            try keys.writeCommonWindow(configuration, usual: Configuration.usualMistralWindow)
        },
        extraTensors: { configuration throws(ConversionError) in try llama3Divisors(configuration) })

    private static let mistral3Classes = ["Ministral3ForCausalLM", "Mistral3ForConditionalGeneration"]

    private static let mistral3IgnoredPrefixes = [
        "vision_tower.", "multi_modal_projector.", "model.vision_tower.", "model.multi_modal_projector.",
    ]
}

extension Configuration {
    /// Whether the language model is of Mistral's class, as in multimodal models that do not state another.
    fileprivate var hasMistralText: Bool { ["mistral", "mistral3"].contains(value("model_type")) }
}
