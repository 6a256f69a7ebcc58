import LeapOps

/// Phi-3, Phi-3.5 and Phi-4-mini: Llama's layers with the matrices of queries, keys and values in one, and those of gate and
/// feed-forward network in another.
///
/// Rotary pairs are in NeoX order; in Phi-4-mini they are only a part of a head. Models for long contexts divide their
/// frequencies by `rope_factors_long` in sequences that may become longer than the original context, and by
/// `rope_factors_short` in others. All layers look back over `phi3.attention.sliding_window` positions, if it is not 0.
/// Source: Abdin et al. 2024, "Phi-3 Technical Report", section 2; Ding et al. 2024, "LongRoPE"; tensor names and keys as
/// GGUF files have them.
enum Phi3: Architecture {
    static let name = "phi3"
    static let knownKeys: Set = ["attention.sliding_window"]

    static func graph(_ model: Binder) throws(ModelError) -> Graph {
        let windows = try model.windows(period: 0)
        return try Graph(
            model, rotary: model.rotary(.neoX, factors: model.rotaryFactors("rope_factors_short")),
            longRotary: longRotary(model)
        ) { block throws(ModelError) in
            Layer(
                mixerNorm: try block.norm("attn_norm"),
                mixer: .attention(try block.attention(window: windows[block.index])),
                feedForwardNorm: try block.norm("ffn_norm"),
                channelMixer: .dense(try block.jointFeedForward()))
        }
    }

    private static func longRotary(_ model: Binder) throws(ModelError) -> LongRotary? {
        let factors = try model.rotaryFactors("rope_factors_long")
        guard !factors.isEmpty else { return nil }
        return LongRotary(
            embedding: model.rotary(.neoX, factors: factors),
            originalContextLength: try model.parameters.originalContextLength())
    }
}
