import LeapGGUF
import LeapGeneration
import LeapTokenizer

/// The sampling that a model's makers recommend.
enum RecommendedSampling {
    /// What llama.cpp's tools use for models about which nothing is known.
    private static let general = SamplerConfiguration(temperature: 0.8, topK: 40, topP: 0.95, minP: 0.05)

    /// The advice of other models' makers by architecture: their model cards, of models that think that for thinking, and the
    /// `generation_config.json` next to the weights.
    private static func advice(_ architecture: String) -> SamplerConfiguration? {
        switch architecture {
        // The model's own distribution, neither sharpened nor truncated.
        case "gpt-oss": SamplerConfiguration(temperature: 1)
        case "gemma3": SamplerConfiguration(temperature: 1, topK: 64, topP: 0.95)
        case "qwen2": SamplerConfiguration(temperature: 0.7, topK: 20, topP: 0.8, repetitionPenalty: 1.05)
        case "qwen3", "qwen3moe": SamplerConfiguration(temperature: 0.6, topK: 20, topP: 0.95)
        case "qwen35", "qwen35moe":
            SamplerConfiguration(temperature: 1, topK: 20, topP: 0.95, presencePenalty: 1.5)
        case "smollm3": SamplerConfiguration(temperature: 0.6, topP: 0.95)
        default: nil
        }
    }

    /// Liquid AI's model cards by part of the name; the first match counts.
    private static let families: [(name: String, sampling: SamplerConfiguration)] = [
        ("-extract", .greedy),
        ("-rag", .greedy),
        ("lfm2.5-vl-3b", SamplerConfiguration(temperature: 0.2, topK: 50)),
        ("-vl-", SamplerConfiguration(temperature: 0.1, minP: 0.15, repetitionPenalty: 1.05)),
        ("lfm2.5-1.2b-thinking", SamplerConfiguration(temperature: 0.05, topK: 50, repetitionPenalty: 1.05)),
        ("lfm2.5-1.2b-jp", SamplerConfiguration(temperature: 0.3, minP: 0.15, repetitionPenalty: 1.05)),
        ("lfm2.5-2.6b", SamplerConfiguration(temperature: 0.2, topK: 80, repetitionPenalty: 1.05)),
        ("lfm2.5-8b-a1b", SamplerConfiguration(temperature: 0.2, topK: 80, repetitionPenalty: 1.05)),
        ("lfm2.5", SamplerConfiguration(temperature: 0.1, topK: 50, repetitionPenalty: 1.05)),
        ("lfm2-24b-a2b", SamplerConfiguration(temperature: 0.1, topK: 50, repetitionPenalty: 1.05)),
        ("lfm2", SamplerConfiguration(temperature: 0.3, minP: 0.15, repetitionPenalty: 1.05)),
    ]

    /// The recommendation for a model's family, changed by the file's `general.sampling.*`.
    ///
    /// - Throws: `GGUFError` for a key of the wrong type.
    static func of(_ metadata: GGUFMetadata) throws(GGUFError) -> SamplerConfiguration {
        let name = try metadata.stringIfPresent("general.name") ?? ""
        var sampling = family(name, architecture: try metadata.stringIfPresent("general.architecture") ?? "")
        if let value = try metadata.floatIfPresent("general.sampling.temp") { sampling.temperature = value }
        if let value = try metadata.integerIfPresent("general.sampling.top_k", in: .min ... .max) {
            sampling.topK = value
        }
        if let value = try metadata.floatIfPresent("general.sampling.top_p") { sampling.topP = value }
        if let value = try metadata.floatIfPresent("general.sampling.min_p") { sampling.minP = value }
        if let value = try metadata.floatIfPresent("general.sampling.penalty_repeat") {
            sampling.repetitionPenalty = value
        }
        if let value = try metadata.integerIfPresent("general.sampling.penalty_last_n", in: .min ... .max) {
            sampling.penaltyWindow = value < 0 ? .max : value  // below 0: the whole context
        }
        return sampling
    }

    /// The recommendation by the model's name or, if that is unknown, by the architecture.
    static func family(_ name: String, architecture: String) -> SamplerConfiguration {
        guard architecture.hasPrefix("lfm2") else { return advice(architecture) ?? general }
        let name = name.lowercased().map { " _".contains($0) ? "-" : $0 }
        return families.first { String(name).contains($0.name) }?.sampling ?? family(architecture)
    }

    private static func family(_ architecture: String) -> SamplerConfiguration {
        families.first { architecture.contains($0.name) }?.sampling ?? general
    }
}
