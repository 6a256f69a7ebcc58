import LeapOps

/// Qwen 3.5 with a mixture of experts in every layer, and an expert that all rows share.
///
/// Probabilities are the softmax over all experts, and the weights of the chosen are divided by their sum; how much of the
/// shared expert a row takes is a separate sigmoid.
/// Source: the models of Qwen3.5 MoE in Hugging Face's transformers; tensor names and keys as GGUF files have them.
enum Qwen35MoE: Architecture {
    static let name = "qwen35moe"
    static let knownKeys = Qwen35.knownKeys.union(Binder.sharedExpertKeys)

    static func graph(_ model: Binder) throws(ModelError) -> Graph {
        let defaults = ExpertDefaults(gate: .softmax, epsilon: 0, hasChoiceBias: false, shared: .gated)
        return try Qwen35.graph(model) { block throws(ModelError) in .experts(try block.experts(defaults)) }
    }
}
