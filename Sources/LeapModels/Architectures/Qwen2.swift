import LeapOps

/// Qwen 2 and 2.5, and what was trained from them: Llama's layers with biases on queries, keys and values.
///
/// Rotary pairs are in NeoX order; the output projection may be tied to the embedding.
/// Source: Qwen Team 2024, "Qwen2 Technical Report", section 2; tensor names and keys as GGUF files have them.
enum Qwen2: Architecture {
    static let name = "qwen2"

    static func graph(_ model: Binder) throws(ModelError) -> Graph {
        try Graph(model, rotary: model.rotary(.neoX), layer: layer)
    }

    private static func layer(_ block: Block) throws(ModelError) -> Layer {
        Layer(
            mixerNorm: try block.norm("attn_norm"),
            mixer: .attention(try block.attention()),
            feedForwardNorm: try block.norm("ffn_norm"),
            channelMixer: .dense(try block.feedForward()))
    }
}
