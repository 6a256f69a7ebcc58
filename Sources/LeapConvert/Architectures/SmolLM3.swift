import LeapJSON

extension ArchitectureRecipe {
    /// SmolLM 3: Llama with no rotary embedding in every fourth layer.
    static let smollm3 = ArchitectureRecipe(
        name: "smollm3", classes: ["SmolLM3ForCausalLM"], layerNames: LayerNames.llama,
        rotaryKinds: RotaryKinds.llama, pairsNeighbours: true,
        defaults: ["rms_norm_eps": 1e-6, "rope_theta": 2_000_000],
        writeKeys: { configuration, keys throws(ConversionError) in
            try refuseOtherRotatedLayers(configuration)
            try configuration.refuse(
                "use_sliding_window", unless: { $0 == .bool(false) },
                "sliding windows are not supported for this architecture")
            try configuration.refuse(
                "layer_types", unless: { $0.array?.allSatisfy { $0 == "full_attention" } ?? false },
                "sliding windows are not supported for this architecture")
            try keys.writeLlamaKeys(configuration)
        },
        extraTensors: { configuration throws(ConversionError) in try llama3Divisors(configuration) })

    /// A file states the layers with RoPE, or else only the period of those without.
    private static func refuseOtherRotatedLayers(_ configuration: Configuration) throws(ConversionError) {
        let layers = try configuration.layers
        func rotated(period: Int) -> [JSONValue] { (0..<layers).map { ($0 + 1).isMultiple(of: period) ? 0 : 1 } }
        let (usual, reason) = (rotated(period: 4), "only every fourth layer may lack RoPE")
        guard configuration.value("no_rope_layers") == nil else {
            return try configuration.refuse("no_rope_layers", unless: { $0.array == usual }, reason)
        }
        let key = "no_rope_layer_interval"
        guard let period = try configuration.integerIfPresent(key) else { return }
        try configuration.refuse(key, unless: { _ in rotated(period: period) == usual }, reason)
    }
}
