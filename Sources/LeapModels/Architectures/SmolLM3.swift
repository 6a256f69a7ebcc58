import LeapOps

/// SmolLM3: Llama's layers, of which every fourth does not rotate queries and keys.
///
/// Rotary pairs are neighbours, because the converter permutes the rows of `attn_q` and `attn_k`. No key says which layers
/// rotate. Llama 3's scaling comes as one divisor per pair, `rope_freqs.weight`.
/// Source: Bakouch et al. 2025, "SmolLM3", which follows Yang et al. 2025, "Rope to Nope and Back Again"; tensor names and
/// keys as GGUF files have them.
enum SmolLM3: Architecture {
    static let name = "smollm3"

    /// The last of this many layers does not rotate.
    private static let period = 4

    static func graph(_ model: Binder) throws(ModelError) -> Graph {
        try Graph(model, rotary: model.rotary(.interleaved, factors: model.rotaryFactors()), layer: layer)
    }

    private static func layer(_ block: Block) throws(ModelError) -> Layer {
        let rotates = !(block.index + 1).isMultiple(of: period)
        return Layer(
            mixerNorm: try block.norm("attn_norm"),
            mixer: .attention(try block.attention(rotary: rotates ? .global : nil)),
            feedForwardNorm: try block.norm("ffn_norm"),
            channelMixer: .dense(try block.feedForward()))
    }
}
