import LeapOps

/// Granite, the dense models: Llama's layers with four factors, which the training's parametrisation leaves in the model.
///
/// Embeddings are multiplied by `granite.embedding_scale`, scores by `granite.attention.scale`, both branches of a layer by
/// `granite.residual_scale`, and logits are divided by `granite.logit_scale`. Rotary pairs are neighbours, because the
/// converter permutes the rows of `attn_q` and `attn_k`; where `granite.rope.scaling.finetuned` is false, nothing rotates.
/// Source: Granite Team 2024, "Granite 3.0 Language Models", section 2; tensor names and keys as GGUF files have them.
enum Granite: Architecture {
    static let name = "granite"
    static let knownKeys: Set = ["embedding_scale", "attention.scale", "residual_scale", "logit_scale"]

    static func graph(_ model: Binder) throws(ModelError) -> Graph {
        let parameters = model.parameters
        let rotates = try parameters.boolIfPresent("rope.scaling.finetuned") ?? true
        let scale = try parameters.factorIfPresent("attention.scale")
        let branchScale = try parameters.factorIfPresent("residual_scale") ?? 1
        return try Graph(
            model, rotary: rotates ? try rotary(model) : nil,
            embeddingScale: parameters.factorIfPresent("embedding_scale") ?? 1,
            logitScale: 1 / (parameters.factorIfPresent("logit_scale") ?? 1)
        ) { block throws(ModelError) in
            Layer(
                mixerNorm: try block.norm("attn_norm"),
                mixer: .attention(try block.attention(rotary: rotates ? .global : nil, scale: scale)),
                feedForwardNorm: try block.norm("ffn_norm"),
                channelMixer: .dense(try block.feedForward()), branchScale: branchScale)
        }
    }

    private static func rotary(_ model: Binder) throws(ModelError) -> RotaryEmbedding {
        model.rotary(.interleaved, factors: try model.rotaryFactors())
    }
}
