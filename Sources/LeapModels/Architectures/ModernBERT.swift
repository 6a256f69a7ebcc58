import LeapOps

/// ModernBERT: an encoder with norms before its branches. Every third layer has full attention, the others a window.
///
/// A window lies around a position. Layers with one rotate by a base of their own. Layer norms have no biases; the first layer
/// needs none before its attention, because the embeddings are normalised. Gate and network are joined in `ffn_up`, the gate
/// first; it is GELU by the error function, or as in `modern-bert.hidden_activation`. Rotary pairs are in NeoX order.
/// Source: Warner et al. 2024, "Smarter, Better, Faster, Longer", section 2.1; tensor names and keys as GGUF files have them.
enum ModernBERT: Architecture {
    static let name = "modern-bert"
    static let encoderKeys: Set = ["attention.causal", "attention.sliding_window", "rope.freq_base_swa"]
    static let norm = StreamNorm.Kind.layer(hasBiases: false)

    static func graph(_ model: Binder) throws(ModelError) -> Graph {
        try model.refuseCausal()
        try refuseClassifier(model)
        let windows = try model.windows(period: 3, seesAllFirst: true)
        let unit = try activation(model.parameters)
        let input = TextInput(positions: nil, segments: nil, norm: try model.norm("token_embd_norm"))
        return try Graph(
            model, rotary: model.rotary(.neoX), windowedRotary: model.windowedRotary(.neoX, base: 10_000), input: input
        ) { block throws(ModelError) in try layer(block, window: windows[block.index], unit) }
    }

    private static func layer(_ block: Block, window: Int?, _ unit: GatedUnit) throws(ModelError) -> Layer {
        let isNormalized = block.index == 0 && !block.model.weights.has(block.name("attn_norm.weight"))
        return Layer(
            mixerNorm: isNormalized ? nil : try block.norm("attn_norm"),
            mixer: .attention(
                try block.attention(rotary: window == nil ? .global : .windowed, window: window, isCausal: false)),
            feedForwardNorm: try block.norm("ffn_norm"),
            channelMixer: .dense(try block.jointFeedForward(unit)))
    }

    private static func activation(_ parameters: HyperParameters) throws(ModelError) -> GatedUnit {
        let key = "hidden_activation"
        switch try parameters.stringIfPresent(key) ?? "gelu" {
        case "gelu": return .exactGEGLU
        case "silu": return .swiGLU
        case let name:
            throw .unsupportedFeature(
                key: parameters.key(key), value: name, reason: "this architecture supports gelu and silu")
        }
    }

    /// Refuses rerankers: their classifier has a norm inside, unlike BERT's, and is not implemented.
    private static func refuseClassifier(_ model: Binder) throws(ModelError) {
        guard let tensor = ["cls.weight", "cls.norm.weight", "cls.output.weight"].first(where: model.weights.has)
        else { return }
        throw .unsupportedFeature(
            key: tensor, value: "present", reason: "this architecture supports embeddings only, not reranking scores")
    }
}
