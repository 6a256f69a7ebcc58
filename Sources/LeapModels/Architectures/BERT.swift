/// BERT and the many encoders of sentences made from it: every token sees every other, positions are learned, and the residual
/// stream is normalised behind each branch.
///
/// Only the first row of `token_types` is used: a text is one segment. GELU is by the error function.
/// Source: Devlin et al. 2018, "BERT", section 3; tensor names and keys as GGUF files have them.
enum BERT: Architecture {
    static let name = "bert"
    static let encoderKeys: Set = ["attention.causal"]
    static let epsilonKey = "attention.layer_norm_epsilon"

    static func graph(_ model: Binder) throws(ModelError) -> Graph {
        guard try !model.isCausal(default: false) else {
            throw .contradiction("\(model.parameters.key("attention.causal")) is true, but BERT looks ahead")
        }
        return try Graph(model, rotary: nil, input: TextInput(model), outputNorm: nil, layer: layer)
    }

    private static func layer(_ block: Block) throws(ModelError) -> Layer {
        Layer(
            mixer: .attention(try block.attention(rotary: nil, isCausal: false)),
            mixerSumNorm: try block.layerNorm("attn_output_norm"),
            channelMixer: .dense(try block.ungatedFeedForward()),
            feedForwardSumNorm: try block.layerNorm("layer_output_norm"))
    }
}
