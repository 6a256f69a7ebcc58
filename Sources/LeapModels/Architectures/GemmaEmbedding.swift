/// EmbeddingGemma: Gemma 3's layers, in which every token sees those after it as well, and windows lie around a position.
///
/// Source: Vera et al. 2025, "EmbeddingGemma", section 2; tensor names and keys as GGUF files have them.
enum GemmaEmbedding: Architecture {
    static let name = "gemma-embedding"
    static let encoderKeys: Set = ["attention.causal", "attention.sliding_window", "rope.freq_base_swa"]

    static func graph(_ model: Binder) throws(ModelError) -> Graph {
        try model.refuseCausal()
        return try Gemma3.graph(model, isCausal: false)
    }
}
