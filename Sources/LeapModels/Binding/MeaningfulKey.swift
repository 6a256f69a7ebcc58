import LeapGGUF

/// A key that changes what a model computes, for the architectures that know it.
///
/// A file with a key that its architecture does not know is refused: ignoring it would yield nonsense or, worse, something
/// that looks plausible.
struct MeaningfulKey: Sendable {
    let name: String
    /// Why the key is refused where the architecture does not know it.
    private let reason: String
    /// Whether a value changes nothing.
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
        MeaningfulKey("expert_count", "mixtures of experts are not implemented for this architecture"),
        MeaningfulKey("expert_shared_count", "experts that all rows share are not implemented"),
        MeaningfulKey("expert_group_count", "groups of experts are not implemented") { value, _ in value <= 1 },
        MeaningfulKey(
            "pooling_type", "the model embeds or ranks texts and writes none: use it for embeddings, as with leap embed"
        ),
        MeaningfulKey(
            "attention.causal", neutral: 1,
            "the model looks ahead, which is implemented for embeddings alone, and not for all architectures"),
        MeaningfulKey("attention.sliding_window", "sliding-window attention is not implemented for this architecture") {
            $0 == 0 || $0 >= Double($1)
        },
        MeaningfulKey("attention.scale", "a scale of its own for scores is not implemented for this architecture"),
        MeaningfulKey("attention.temperature_scale", "queries that grow are not implemented for this architecture"),
        MeaningfulKey("attention.clamp_kqv", "bounds on queries, keys and values are not implemented"),
        MeaningfulKey("attention.max_alibi_bias", "scores that depend on distance are not implemented"),
        MeaningfulKey("attention.key_length_swa", "heads of another length in some layers are not implemented"),
        MeaningfulKey("attention.value_length_swa", "heads of another length in some layers are not implemented"),
        MeaningfulKey("nextn_predict_layers", "blocks that guess tokens ahead are not known of this architecture"),
        MeaningfulKey("attn_logit_softcapping", "bounds on scores are not implemented"),
        MeaningfulKey("final_logit_softcapping", "bounds on logits are not implemented for this architecture"),
        MeaningfulKey("embedding_scale", neutral: 1, "scaled embeddings are not implemented for this architecture"),
        MeaningfulKey("residual_scale", neutral: 1, "scaled branches are not implemented for this architecture"),
        MeaningfulKey("logit_scale", neutral: 1, "scaled logits are not implemented for this architecture"),
        MeaningfulKey("rope.dimension_count_swa", "other rotations in some layers are not implemented"),
        MeaningfulKey("rope.freq_base_swa", "a second base of rotations is not implemented for this architecture"),
    ]

    /// Refuses a file with such a key that its architecture does not know.
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
    /// A number, or a truth value as 0 or 1.
    fileprivate var number: Double? {
        if case .bool(let flag) = self { return flag ? 1 : 0 }
        return anyFloat ?? anyInteger.map { Double($0) }
    }

    /// A number or a truth value as it is written; another value by its type.
    fileprivate var text: String {
        if case .bool(let flag) = self { return "\(flag)" }
        return anyInteger.map { "\($0)" } ?? anyFloat.map { "\($0)" } ?? typeDescription
    }
}
