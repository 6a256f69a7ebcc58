import LeapOps

/// Llama, and the many models converted to its shape (SmolLM, Mistral, …): attention and a gated feed-forward network
/// in every layer.
///
/// Rotary pairs are neighbours, because the converter permutes the rows of `attn_q` and `attn_k`. Llama 3's scaling
/// comes as one divisor per pair, `rope_freqs.weight`. Biases and the output projection are optional.
/// Source: Touvron et al. 2023, "LLaMA", section 2.2; tensor names and keys as GGUF files have them.
enum Llama: Architecture {
    static let name = "llama"

    static func graph(_ model: Binder) throws(ModelError) -> Graph {
        try Graph(model, rotary: model.rotary(.interleaved, factors: model.rotaryFactors()), layer: layer)
    }

    private static func layer(_ block: Block) throws(ModelError) -> Layer {
        Layer(
            mixerNorm: try block.norm("attn_norm"),
            mixer: .attention(try block.attention()),
            feedForwardNorm: try block.norm("ffn_norm"),
            channelMixer: .dense(try block.feedForward()))
    }
}
