import LeapOps

/// Granite 4 with a state space in most layers: those whose `granitehybrid.attention.head_count_kv` is 0. The others have
/// attention, as a rule without rotary positions.
///
/// Layers have a mixture of experts and one that all rows share, or a dense network, as the file has tensors. Files hold the
/// decay as −exp(A).
/// Source: Dao and Gu 2024, "Transformers are SSMs", section 7; the models of GraniteMoeHybrid in Hugging Face's transformers;
/// tensor names and keys as GGUF files have them.
enum GraniteHybrid: Architecture {
    static let name = "granitehybrid"
    static let knownKeys = GraniteMoE.knownKeys

    static func graph(_ model: Binder) throws(ModelError) -> Graph {
        let shape = try model.stateSpaceShape()
        let attention = try GraniteAttention(model)
        return try Granite.graph(
            model, rotary: attention.rotary,
            mixer: { block throws(ModelError) in
                block.keyValueHeads > 0 ? try attention.mixer(block) : .stateSpace(try block.stateSpace(shape))
            },
            channelMixer: { block throws(ModelError) in
                model.configuration.expertCount > 0
                    ? .experts(try block.experts(GraniteMoE.experts)) : .dense(try block.feedForward())
            })
    }
}
