import LeapJSON

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension KeyWriter {
    /// Writes the keys that all architectures have, from the corresponding keys of Hugging Face's files.
    mutating func writeCommonKeys(_ configuration: Configuration) throws(ConversionError) {
        set("block_count", try configuration.layers)
        set("context_length", try configuration.integer("max_position_embeddings", "n_positions"))
        set("embedding_length", try configuration.width)
        if let length = try feedForwardLength(configuration) { set("feed_forward_length", length) }
        set("attention.head_count", try configuration.heads)
        set("attention.head_count_kv", try configuration.keyValueHeads)
        if configuration.bool("is_causal") == false { set("attention.causal", false) }
        try writeRopeKeys(configuration)
        if let epsilon = try configuration.floatIfPresent("rms_norm_eps", "norm_eps") {
            set("attention.layer_norm_rms_epsilon", epsilon)
        }
        if let epsilon = try configuration.floatIfPresent("layer_norm_eps", "layer_norm_epsilon") {
            set("attention.layer_norm_epsilon", epsilon)
        }
        try writeExpertKeys(configuration)
        if configuration.value("head_dim") != nil {
            let length = try configuration.headLength
            set("attention.key_length", length)
            set("attention.value_length", length)
        }
    }

    /// Files whose layers all have experts may omit it.
    private func feedForwardLength(_ configuration: Configuration) throws(ConversionError) -> Int? {
        if let length = try configuration.integerIfPresent("intermediate_size", "block_ff_dim", "n_inner") {
            return length
        }
        guard configuration.value("moe_intermediate_size") == nil else { return nil }
        return try configuration.integer("intermediate_size", "block_ff_dim")
    }

    private mutating func writeExpertKeys(_ configuration: Configuration) throws(ConversionError) {
        // Dense models of classes that support experts state that they have none.
        let experts = 0...65_536
        if let count = try configuration.integerIfPresent("num_local_experts", "num_experts", in: experts) {
            set("expert_count", count)
        }
        if let count = try configuration.integerIfPresent("num_experts_per_tok", in: experts) {
            set("expert_used_count", count)
        }
    }

    /// Writes bases and scaling of rotary embeddings.
    ///
    /// - Throws: ``ConversionError`` for kinds of scaling that the engine does not compute for the architecture.
    private mutating func writeRopeKeys(_ configuration: Configuration) throws(ConversionError) {
        let rope = try configuration.rope
        try refuseOtherRotation(configuration, rope)
        switch rope.kind {
        case "linear":
            set("rope.scaling.type", "linear")
            set("rope.scaling.factor", rope.float("factor") ?? 1)
        case "yarn": try writeYaRNKeys(configuration, rope)
        // The others have tensors of divisors, which recipes write.
        default: break
        }
        if let base = rope.base { set("rope.freq_base", base) }
        if let base = rope.windowedBase { set("rope.freq_base_swa", base) }
    }

    private func refuseOtherRotation(
        _ configuration: Configuration, _ rope: RopeParameters
    ) throws(ConversionError) {
        let known = try ArchitectureRecipe.named(configuration).rotaryKinds
        guard known.contains(rope.kind) else {
            throw .unsupportedFeature(
                path: configuration.path, key: "rope_type", value: rope.kind,
                reason: "for this architecture, only these are supported: \(known.sorted().joined(separator: ", "))")
        }
        guard rope.windowedKind == "default" else {
            throw .unsupportedFeature(
                path: configuration.path, key: "rope_parameters.sliding_attention", value: rope.windowedKind,
                reason: "RoPE scaling in layers with a sliding window is not supported")
        }
    }

    private mutating func writeYaRNKeys(
        _ configuration: Configuration, _ rope: RopeParameters
    ) throws(ConversionError) {
        guard let factor = rope.float("factor"), let length = rope.originalContextLength else {
            throw .configuration(
                path: configuration.path, key: "rope_parameters", problem: "of type yarn needs 'factor'")
        }
        guard rope.bool("truncate") ?? true || architecture == ArchitectureRecipe.gptoss.name else {
            throw .unsupportedFeature(
                path: configuration.path, key: "rope_parameters.truncate", value: "false",
                reason: "a YaRN ramp whose ends are not rounded is not supported for this architecture")
        }
        set("rope.scaling.type", "yarn")
        set("rope.scaling.factor", factor)
        set("rope.scaling.original_context_length", length)
        if let value = rope.float("extrapolation_factor") { set("rope.scaling.yarn_ext_factor", value) }
        if let value = Self.temperature(rope, factor: factor) { set("rope.scaling.yarn_attn_factor", value) }
        if let value = rope.float("beta_fast") { set("rope.scaling.yarn_beta_fast", value) }
        if let value = rope.float("beta_slow") { set("rope.scaling.yarn_beta_slow", value) }
    }

    /// YaRN's factor on rotated values, as stated or by 'mscale' and 'mscale_all_dim'; `nil` for the usual one,
    /// 1 + 0.1 · ln `factor`.
    ///
    /// Source: DeepSeek-AI 2024, "DeepSeek-V2", as `transformers` has it.
    private static func temperature(_ rope: RopeParameters, factor: Float) -> Float? {
        if let stated = rope.statedTemperature { return stated }
        guard let own = rope.float("mscale"), let all = rope.float("mscale_all_dim"), own != 0, all != 0 else {
            return nil
        }
        let stretch = 0.1 * log(max(Double(factor), 1))
        return Float((1 + stretch * Double(own)) / (1 + stretch * Double(all)))
    }

    /// Removes the head length where it is the one that readers assume without the keys.
    mutating func removeUsualHeadLength(_ configuration: Configuration) throws(ConversionError) {
        guard try configuration.headLength * configuration.heads == configuration.width else { return }
        remove("attention.key_length")
        remove("attention.value_length")
    }

    /// Writes the sliding window of architectures in which all layers have it, if there is one.
    ///
    /// - Parameter usual: The window if the file does not even state that there is none, with `null`.
    mutating func writeCommonWindow(_ configuration: Configuration, usual: Int? = nil) throws(ConversionError) {
        let stated = try configuration.integerIfPresent("sliding_window")
        guard let window = stated ?? (configuration.states("sliding_window") ? nil : usual) else { return }
        set("attention.sliding_window", window)
    }

    /// Writes the further keys of Llama's family.
    mutating func writeLlamaKeys(_ configuration: Configuration) throws(ConversionError) {
        set("vocab_size", try configuration.integer("vocab_size"))
        set("rope.dimension_count", try configuration.headLength)
    }
}

extension Configuration {
    /// The window of Mistral's class, in tokens.
    static let usualMistralWindow = 4_096

    /// Whether each layer has a sliding window: by `layer_types`, or else all but the last of each period.
    func windowedLayers(period: Int) throws(ConversionError) -> [Bool] {
        let layers = try layers
        guard let types = strings("layer_types") else { return Self.windowed(layers, period: period) }
        guard types.count == layers, types.allSatisfy({ ["sliding_attention", "full_attention"].contains($0) }) else {
            throw .configuration(
                path: path, key: "layer_types",
                problem: "must have \(layers) entries, one per layer, each 'sliding_attention' or 'full_attention'")
        }
        return types.map { $0 == "sliding_attention" }
    }

    /// Whether each of `layers` layers has a window, if the last of each period has none.
    static func windowed(_ layers: Int, period: Int) -> [Bool] {
        (0..<layers).map { !($0 + 1).isMultiple(of: period) }
    }

    /// Rejects a value that would change what the model computes, and that GGUF files cannot express.
    func refuse(_ key: String, unless isKnown: (JSONValue) -> Bool, _ reason: String) throws(ConversionError) {
        guard let value = value(key), !isKnown(value) else { return }
        throw .unsupportedFeature(path: path, key: key, value: value.text(), reason: reason)
    }
}
