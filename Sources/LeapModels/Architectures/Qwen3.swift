import LeapOps

/// Qwen 3: Llama's layers with queries and keys that are normalised per head before they are rotated.
///
/// Heads have a width of their own, `qwen3.attention.key_length`, so that all of them together may be wider than the
/// residual stream. Rotary pairs are in NeoX order; the output projection may be tied to the embedding.
/// Source: Qwen Team 2025, "Qwen3 Technical Report", section 2; tensor names and keys as GGUF files have them.
enum Qwen3: Architecture {
    static let name = "qwen3"

    static func graph(_ model: Binder) throws(ModelError) -> Graph {
        try Graph(model, rotary: model.rotary(.neoX)) { block throws(ModelError) in
            try layer(block, channelMixer: .dense(try block.feedForward()))
        }
    }

    /// A layer with the given network.
    static func layer(_ block: Block, channelMixer: ChannelMixer) throws(ModelError) -> Layer {
        Layer(
            mixerNorm: try block.norm("attn_norm"),
            mixer: .attention(try block.attention(norms: try block.headNorms())),
            feedForwardNorm: try block.norm("ffn_norm"),
            channelMixer: channelMixer)
    }
}
