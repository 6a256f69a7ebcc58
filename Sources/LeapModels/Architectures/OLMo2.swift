import LeapOps

/// OLMo 2 and 3: norms come after each branch instead of before it; all queries of a row are normalised together, and so
/// are its keys.
///
/// Rotary pairs are in NeoX order. A file with `olmo2.attention.sliding_window` is OLMo 3: three of four layers look back
/// over a window, and these rotate without scaling.
/// Source: Team OLMo 2024, "2 OLMo 2 Furious", section 3; Team OLMo 2025, "Olmo 3"; tensor names and keys as GGUF files have
/// them.
enum OLMo2: Architecture {
    static let name = "olmo2"
    static let knownKeys: Set = ["attention.sliding_window", "rope.freq_base_swa"]

    static func graph(_ model: Binder) throws(ModelError) -> Graph {
        let windows = try model.windows(period: 4)
        return try Graph(
            model, rotary: model.rotary(.neoX),
            windowedRotary: model.windowedRotary(.neoX, base: model.configuration.rotaryBase)
        ) { block throws(ModelError) in try layer(block, window: windows[block.index]) }
    }

    private static func layer(_ block: Block, window: Int?) throws(ModelError) -> Layer {
        let attention = try block.attention(
            norms: try block.rowNorms(), rotary: window == nil ? .global : .windowed, window: window)
        return Layer(
            mixer: .attention(attention), mixerOutputNorm: try block.norm("post_attention_norm"),
            channelMixer: .dense(try block.feedForward()), feedForwardOutputNorm: try block.norm("post_ffw_norm"))
    }
}
