import LeapJSON

extension ArchitectureRecipe {
    /// SmolLM 3: Llama with no rotary embedding in every fourth layer.
    static let smollm3 = ArchitectureRecipe(
        name: "smollm3", classes: ["SmolLM3ForCausalLM"], layerNames: LayerNames.llama,
        rotaryKinds: RotaryKinds.llama, pairsNeighbours: true,
        defaults: ["rms_norm_eps": 1e-6, "rope_theta": 2_000_000],
        writeKeys: { configuration, keys throws(ConversionError) in
            let usual = (0..<(try configuration.layers)).map { JSONValue.integer(($0 + 1) % 4 == 0 ? 0 : 1) }
            try configuration.refuse(
                "no_rope_layers", unless: { $0.array == usual }, "only every fourth layer may lack RoPE")
            try configuration.refuse(
                "use_sliding_window", unless: { $0 == .bool(false) },
                "sliding windows are not supported for this architecture")
            try keys.writeLlamaKeys(configuration)
        },
        extraTensors: { configuration throws(ConversionError) in try llama3Divisors(configuration) })
}
