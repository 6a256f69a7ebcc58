import LeapJSON

extension ArchitectureRecipe {
    /// The dense Granite models: Llama with four scaling factors.
    ///
    /// Granite 4's dense models use the class of the models with state spaces, but have none.
    static let granite = ArchitectureRecipe(
        name: "granite", classes: ["GraniteForCausalLM", "GraniteMoeHybridForCausalLM"],
        applies: { !$0.isGraniteHybrid && !$0.hasExperts },
        layerNames: LayerNames.llama + ["shared_mlp.output_linear": "ffn_down"],
        halves: ["shared_mlp.input_linear": ("ffn_gate", "ffn_up")],
        rotaryKinds: RotaryKinds.llama, pairsNeighbours: true, defaults: graniteDefaults,
        writeKeys: { configuration, keys throws(ConversionError) in
            try writeGraniteKeys(configuration, &keys)
            try writeGraniteNetworkKeys(configuration, &keys)
        },
        extraTensors: { configuration throws(ConversionError) in try graniteDivisors(configuration) })

    /// The factor on scores is 1, while that of other architectures follows from the head length.
    static let graniteDefaults: [String: JSONValue] = ["rms_norm_eps": 1e-6, "attention_multiplier": 1]

    /// What models with experts have besides.
    static let graniteExpertDefaults: [String: JSONValue] = ["num_experts_per_tok": 2]

    static func writeGraniteKeys(
        _ configuration: Configuration, _ keys: inout KeyWriter
    ) throws(ConversionError) {
        try keys.removeUsualHeadLength(configuration)
        keys.set("vocab_size", try configuration.integer("vocab_size"))
        keys.set("rope.dimension_count", try configuration.headLength)
        let factors = [
            ("attention_multiplier", "attention.scale"), ("embedding_multiplier", "embedding_scale"),
            ("residual_multiplier", "residual_scale"), ("logits_scaling", "logit_scale"),
        ]
        for (theirs, ours) in factors {
            guard let value = try configuration.floatIfPresent(theirs) else { continue }
            // In a GGUF file it would mean that there is no factor.
            try configuration.refuse(theirs, unless: { _ in value != 0 }, "a factor of 0 is not supported")
            keys.set(ours, value)
        }
    }

    /// Writes the keys for feed-forward networks and rotary embeddings in files of Granite's newer classes.
    static func writeGraniteNetworkKeys(
        _ configuration: Configuration, _ keys: inout KeyWriter
    ) throws(ConversionError) {
        // 0 means that there is no shared network.
        let length =
            try configuration.integerIfPresent("shared_intermediate_size", in: 0...Int(Int32.max))
            ?? (configuration.isNewestGranite ? 1_024 : 0)
        if length > 0 {
            keys.set("expert_shared_feed_forward_length", length)
            // A dense model has only the network that all rows share.
            if !configuration.hasExperts { keys.set("feed_forward_length", length) }
        }
        try configuration.refuse(
            "normalization_function", unless: { $0 == "rmsnorm" }, "only rmsnorm is supported")
        guard configuration.isNewestGranite else { return }
        let kinds: [JSONValue] = ["rope", "nope"]
        try configuration.refuse(
            "position_embedding_type", unless: kinds.contains, "only rope and nope are supported")
        let (heads, layers) = (try configuration.keyValueHeads, try configuration.layers)
        keys.set("attention.head_count_kv", Array(repeating: heads, count: layers))
        keys.set("rope.scaling.finetuned", configuration.isRotaryGranite)
    }

    /// Divisors of the rotary frequencies, in models that rotate.
    static func graniteDivisors(_ configuration: Configuration) throws(ConversionError) -> [ComputedTensor] {
        configuration.isRotaryGranite ? try llama3Divisors(configuration) : []
    }
}

extension Configuration {
    /// Whether a Granite model has experts. Those of the older classes always do, even if they do not state how many.
    var hasExperts: Bool {
        let count = value(["num_local_experts", "num_experts"])?.wholeNumber
        return count.map { $0 > 0 } ?? ["GraniteMoeForCausalLM", "GraniteMoeSharedForCausalLM"].contains(classes.first)
    }

    /// Whether a Granite model is of the class whose models need not have rotary positions.
    fileprivate var isNewestGranite: Bool { classes.first == "GraniteMoeHybridForCausalLM" }

    /// Whether a Granite model has rotary positions.
    var isRotaryGranite: Bool { !isNewestGranite || value("position_embedding_type") == "rope" }

    /// Whether a Granite model has state spaces.
    var isGraniteHybrid: Bool {
        strings("layer_types")?.contains { ["mamba", "linear_attention"].contains($0) } ?? false
    }
}
