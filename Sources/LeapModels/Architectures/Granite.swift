import LeapOps

/// Granite, the dense models: Llama's layers with four scaling factors, which come from the parametrisation used in
/// training.
///
/// Embeddings are multiplied by `granite.embedding_scale`, scores by `granite.attention.scale`, both branches of a layer by
/// `granite.residual_scale`, and logits are divided by `granite.logit_scale`. Rotary pairs are neighbours, because the
/// converter permutes the rows of `attn_q` and `attn_k`; if `granite.rope.scaling.finetuned` is false, nothing rotates.
/// Source: Granite Team 2024, "Granite 3.0 Language Models", section 2; tensor names and keys as GGUF files have them.
enum Granite: Architecture {
    static let name = "granite"
    static let knownKeys: Set = ["embedding_scale", "attention.scale", "residual_scale", "logit_scale"]

    static func graph(_ model: Binder) throws(ModelError) -> Graph {
        let attention = try GraniteAttention(model)
        return try graph(
            model, rotary: attention.rotary, mixer: { block throws(ModelError) in try attention.mixer(block) },
            channelMixer: { block throws(ModelError) in .dense(try block.feedForward()) })
    }

    /// A model of the family with the given mixers and networks.
    static func graph(
        _ model: Binder, rotary: RotaryEmbedding?, mixer: (Block) throws(ModelError) -> Mixer,
        channelMixer: (Block) throws(ModelError) -> ChannelMixer
    ) throws(ModelError) -> Graph {
        let parameters = model.parameters
        let branchScale = try parameters.factorIfPresent("residual_scale") ?? 1
        return try Graph(
            model, rotary: rotary, embeddingScale: parameters.factorIfPresent("embedding_scale") ?? 1,
            logitScale: 1 / (parameters.factorIfPresent("logit_scale") ?? 1)
        ) { block throws(ModelError) in
            Layer(
                mixerNorm: try block.norm("attn_norm"), mixer: try mixer(block),
                feedForwardNorm: try block.norm("ffn_norm"),
                channelMixer: try channelMixer(block), branchScale: branchScale)
        }
    }
}

/// How the layers of Granite's models attend.
struct GraniteAttention {
    /// The angles of the layers; `nil` if nothing rotates.
    let rotary: RotaryEmbedding?
    private let scale: Float?

    /// - Parameter rotates: Whether layers rotate in a file that does not say.
    init(_ model: Binder, rotates: Bool = true) throws(ModelError) {
        let parameters = model.parameters
        scale = try parameters.factorIfPresent("attention.scale")
        rotary =
            try parameters.boolIfPresent("rope.scaling.finetuned") ?? rotates
            ? model.rotary(.interleaved, factors: try model.rotaryFactors()) : nil
    }

    func mixer(_ block: Block) throws(ModelError) -> Mixer {
        .attention(try block.attention(rotary: rotary == nil ? nil : .global, scale: scale))
    }
}
