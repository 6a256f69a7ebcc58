import LeapOps

/// gpt-oss: a mixture of experts in every layer, a sliding window in every other one, and attention sinks, which absorb the
/// attention weight that a head gives to no position.
///
/// All projections have biases, including those of the experts. The weights of the chosen experts are the softmax of their
/// own logits. Gate and up projections are clamped. `post_attention_norm` is the norm before the experts, despite its name.
/// Rotary pairs are in NeoX order, stretched by YaRN in all layers alike. The ends of YaRN's ramp are not rounded to pairs, as
/// the models were trained; no key says so.
/// Source: OpenAI 2025, "gpt-oss-120b & gpt-oss-20b Model Card", section 2; tensor names and keys as GGUF files have them.
enum GPTOSS: Architecture {
    static let name = "gpt-oss"
    static let knownKeys = Binder.expertKeys.union(["attention.sliding_window", "rope.freq_base_swa"])

    private static let experts = ExpertDefaults(
        gate: .softmaxOfChosen, epsilon: 0, hasChoiceBias: false, unit: .boundedSwiGLU, hasBiases: true)

    static func graph(_ model: Binder) throws(ModelError) -> Graph {
        let dense = try model.leadingDenseBlocks()
        guard dense == 0 else {
            throw .contradiction(
                "\(model.parameters.key("leading_dense_block_count")) is \(dense), but all layers of gpt-oss have experts"
            )
        }
        // Without the key all layers would get full attention, for which no model of the family was trained.
        _ = try model.parameters.integer("attention.sliding_window", in: 0...Int(UInt32.max))
        let windows = try model.windows(period: 2)
        let scaling = model.configuration.rotaryScaling.withExactRamp
        return try Graph(
            model, rotary: model.rotary(.neoX, scaling: scaling),
            windowedRotary: model.windowedRotary(
                .neoX, base: model.configuration.rotaryBase, scaling: scaling,
                magnitude: model.configuration.rotaryMagnitude)
        ) { block throws(ModelError) in try layer(block, window: windows[block.index]) }
    }

    private static func layer(_ block: Block, window: Int?) throws(ModelError) -> Layer {
        let attention = try block.attention(
            rotary: window == nil ? .global : .windowed, window: window, sinks: try block.sinks())
        return Layer(
            mixerNorm: try block.norm("attn_norm"), mixer: .attention(attention),
            feedForwardNorm: try block.norm("post_attention_norm"),
            channelMixer: .experts(try block.experts(experts)))
    }
}
