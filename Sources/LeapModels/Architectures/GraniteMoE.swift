import LeapOps

/// Granite with a mixture of experts in every layer, and in some models an expert that all rows share.
///
/// Probabilities are the softmax over all experts, and the weights of the chosen are divided by their sum.
/// Source: Granite Team 2024, "Granite 3.0 Language Models", section 2; the models of GraniteMoeShared in Hugging Face's
/// transformers; tensor names and keys as GGUF files have them.
enum GraniteMoE: Architecture {
    static let name = "granitemoe"
    static let knownKeys = Granite.knownKeys.union(Binder.sharedExpertKeys)

    /// The properties of the experts that files do not state.
    static let experts = ExpertDefaults(
        gate: .softmax, epsilon: 0, hasChoiceBias: false, lengthKey: "feed_forward_length", shared: .optional)

    static func graph(_ model: Binder) throws(ModelError) -> Graph {
        let attention = try GraniteAttention(model)
        return try Granite.graph(
            model, rotary: attention.rotary, mixer: { block throws(ModelError) in try attention.mixer(block) },
            channelMixer: { block throws(ModelError) in .experts(try block.experts(experts)) })
    }
}
