import LeapGGUF

/// A key that changes what a model computes, for the architectures that support it.
///
/// A file with a key that its architecture does not support is rejected: ignoring the key would produce nonsense or,
/// worse, something that looks plausible.
struct MeaningfulKey: Sendable {
    let name: String
    /// Why the key is rejected for architectures that do not support it.
    private let reason: String
    /// Whether a value has no effect.
    private let isNeutral: @Sendable (_ value: Double, _ contextLength: Int) -> Bool

    private init(_ name: String, neutral: Double = 0, _ reason: String) {
        self.init(name, reason) { value, _ in value == neutral }
    }

    private init(
        _ name: String, _ reason: String, isNeutral: @escaping @Sendable (_ value: Double, _ contextLength: Int) -> Bool
    ) {
        self.name = name
        self.reason = reason
        self.isNeutral = isNeutral
    }

    private static let all = [
        MeaningfulKey("expert_count", "mixture of experts is not implemented for this architecture"),
        MeaningfulKey("expert_shared_count", "shared experts are not implemented"),
        MeaningfulKey("expert_group_count", "expert groups are not implemented") { value, _ in value <= 1 },
        MeaningfulKey(
            "pooling_type",
            "this is an embedding or reranking model, which does not generate text: use it for embeddings (leap embed)"
        ),
        MeaningfulKey(
            "attention.causal", neutral: 1,
            "bidirectional attention is implemented only for embeddings, and not for all architectures"),
        MeaningfulKey("attention.sliding_window", "sliding-window attention is not implemented for this architecture") {
            $0 == 0 || $0 >= Double($1)
        },
        MeaningfulKey("attention.scale", "a custom attention scale is not implemented for this architecture"),
        MeaningfulKey(
            "attention.temperature_scale", "query scaling by position is not implemented for this architecture"),
        MeaningfulKey("attention.clamp_kqv", "clamping of queries, keys and values is not implemented"),
        MeaningfulKey("attention.max_alibi_bias", "ALiBi is not implemented"),
        MeaningfulKey("attention.key_length_swa", "a separate head size for some layers is not implemented"),
        MeaningfulKey("attention.value_length_swa", "a separate head size for some layers is not implemented"),
        MeaningfulKey("nextn_predict_layers", "multi-token prediction is not implemented for this architecture"),
        MeaningfulKey("attn_logit_softcapping", "soft-capping of attention scores is not implemented"),
        MeaningfulKey("final_logit_softcapping", "soft-capping of logits is not implemented for this architecture"),
        MeaningfulKey("embedding_scale", neutral: 1, "embedding scaling is not implemented for this architecture"),
        MeaningfulKey("residual_scale", neutral: 1, "residual scaling is not implemented for this architecture"),
        MeaningfulKey("logit_scale", neutral: 1, "logit scaling is not implemented for this architecture"),
        MeaningfulKey("rope.dimension_count_swa", "a separate RoPE dimension for some layers is not implemented"),
        MeaningfulKey("rope.freq_base_swa", "a second RoPE base is not implemented for this architecture"),
    ]

    /// Rejects a file with such a key that its architecture does not support.
    static func check(
        _ parameters: HyperParameters, known: Set<String>, contextLength: Int
    ) throws(ModelError) {
        for key in all where !known.contains(key.name) {
            let name = parameters.key(key.name)
            guard let value = parameters.metadata.value(name) else { continue }
            if let number = value.number, key.isNeutral(number, contextLength) { continue }
            throw .unsupportedFeature(key: name, value: value.text, reason: key.reason)
        }
    }
}

extension GGUFValue {
    /// A number, or a Boolean as 0 or 1.
    fileprivate var number: Double? {
        if case .bool(let flag) = self { return flag ? 1 : 0 }
        return anyFloat ?? anyInteger.map { Double($0) }
    }

    /// The text of a number or Boolean; the type name of other values.
    fileprivate var text: String {
        if case .bool(let flag) = self { return "\(flag)" }
        return anyInteger.map { "\($0)" } ?? anyFloat.map { "\($0)" } ?? typeDescription
    }
}
