import LeapOps

/// Gemma 3, the language model: norms before and after each branch, a feed-forward network gated by GELU, and five of six
/// layers that look back over a window.
///
/// The embeddings of tokens are multiplied by the root of their width; rows that come from elsewhere, such as those of
/// pictures, are not. Queries and keys are normalised per head. Rotary pairs are in NeoX order, with a base of their own and
/// without scaling in the layers with a window. Norms are stored with the 1 that the model adds to them.
/// Source: Gemma Team 2025, "Gemma 3 Technical Report", section 2; tensor names and keys as GGUF files have them.
enum Gemma3: Architecture {
    static let name = "gemma3"
    static let knownKeys: Set = ["attention.sliding_window", "rope.freq_base_swa", "final_logit_softcapping"]

    /// Layers of the one size, 27B, whose scores are scaled by the width of the model over its heads and not by that of a
    /// head. No key says so.
    private static let layersOfLargest = 62

    static func graph(_ model: Binder) throws(ModelError) -> Graph { try graph(model, isCausal: true) }

    /// The same for models that write, or that only read.
    static func graph(_ model: Binder, isCausal: Bool) throws(ModelError) -> Graph {
        let configuration = model.configuration
        let windows = try model.windows(period: 6)
        let queryWidth = Float(configuration.embeddingLength) / Float(configuration.headCount)
        let scale = configuration.blockCount == layersOfLargest ? 1 / queryWidth.squareRoot() : nil
        return try Graph(
            model, rotary: model.rotary(.neoX), windowedRotary: model.windowedRotary(.neoX, base: 10_000),
            embeddingScale: Float(configuration.embeddingLength).squareRoot(),
            logitCap: model.parameters.factorIfPresent("final_logit_softcapping")
        ) { block throws(ModelError) in
            try layer(block, window: windows[block.index], scale: scale, isCausal: isCausal)
        }
    }

    private static func layer(
        _ block: Block, window: Int?, scale: Float?, isCausal: Bool
    ) throws(ModelError) -> Layer {
        let attention = try block.attention(
            norms: try block.headNorms(), rotary: window == nil ? .global : .windowed, scale: scale, window: window,
            isCausal: isCausal)
        return Layer(
            mixerNorm: try block.norm("attn_norm"), mixer: .attention(attention),
            mixerOutputNorm: try block.norm("post_attention_norm"), feedForwardNorm: try block.norm("ffn_norm"),
            channelMixer: .dense(try block.feedForward(.geGLU)), feedForwardOutputNorm: try block.norm("post_ffw_norm"))
    }
}
