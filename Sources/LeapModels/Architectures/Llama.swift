import LeapOps

/// Llama, and the many models converted to its shape (SmolLM, Mistral, …): attention and a gated feed-forward network
/// in every layer.
///
/// Rotary pairs are neighbours, because the converter permutes the rows of `attn_q` and `attn_k`. Llama 3's scaling
/// comes as one divisor per pair, `rope_freqs.weight`. Biases and the output projection are optional. All layers look back
/// over `llama.attention.sliding_window` positions, if a file has it: Mistral 7B of version 0.1.
/// Source: Touvron et al. 2023, "LLaMA", section 2.2; tensor names and keys as GGUF files have them.
enum Llama: Architecture {
    static let name = "llama"
    static let knownKeys: Set = ["attention.sliding_window"]

    static func graph(_ model: Binder) throws(ModelError) -> Graph {
        let windows = try model.windows(period: 0)
        return try Graph(model, rotary: model.rotary(.interleaved, factors: model.rotaryFactors())) {
            block throws(ModelError) in
            Layer(
                mixerNorm: try block.norm("attn_norm"),
                mixer: .attention(try block.attention(window: windows[block.index])),
                feedForwardNorm: try block.norm("ffn_norm"),
                channelMixer: .dense(try block.feedForward()))
        }
    }
}
