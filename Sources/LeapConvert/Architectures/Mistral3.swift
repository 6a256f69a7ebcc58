import LeapJSON

extension ArchitectureRecipe {
    /// Ministral 3 and Mistral Small 3.1: Llama with an explicit head length, YaRN, and queries that grow with the
    /// position.
    static let mistral3 = ArchitectureRecipe(
        name: "mistral3", classes: ["Ministral3ForCausalLM", "Mistral3ForConditionalGeneration"],
        layerNames: LayerNames.llama,
        ignoredPrefixes: [
            "vision_tower.", "multi_modal_projector.", "model.vision_tower.", "model.multi_modal_projector.",
        ],
        rotaryKinds: RotaryKinds.llama, pairsNeighbours: true, defaults: ["rms_norm_eps": 1e-5],
        writeKeys: { configuration, keys throws(ConversionError) in
            try keys.writeLlamaKeys(configuration)
            try keys.writeCommonWindow(configuration)
            guard configuration.value("model_type") == "ministral3" else { return }
            let rope = configuration.rope
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
}
