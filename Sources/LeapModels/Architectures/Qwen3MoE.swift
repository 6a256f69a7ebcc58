import LeapOps

/// Qwen 3 with a mixture of experts in every layer.
///
/// Probabilities are the softmax over all experts, and the weights of the chosen are divided by their sum.
/// Source: Qwen Team 2025, "Qwen3 Technical Report", section 2; tensor names and keys as GGUF files have them.
enum Qwen3MoE: Architecture {
    static let name = "qwen3moe"
    static let knownKeys = Binder.expertKeys

    static func graph(_ model: Binder) throws(ModelError) -> Graph {
        let leadingDense = try model.leadingDenseBlocks()
        let defaults = ExpertDefaults(gate: .softmax, epsilon: 0, hasChoiceBias: false)
        return try Graph(model, rotary: model.rotary(.neoX)) { block throws(ModelError) in
            try Qwen3.layer(block, channelMixer: try block.channelMixer(leadingDense: leadingDense, defaults))
        }
    }
}
