/// BERT and the many encoders of sentences made from it: every token sees every other, positions are learned, and the residual
/// stream is normalised after each branch.
///
/// GELU is by the error function. Source: Devlin et al. 2018, "BERT", section 3; tensor names and keys as GGUF files have them.
enum BERT: Architecture {
    static let name = "bert"
    static let encoderKeys: Set = ["attention.causal"]
    static let norm = StreamNorm.Kind.layer(hasBiases: true)

    static func graph(_ model: Binder) throws(ModelError) -> Graph {
        try model.refuseCausal()
        let input = TextInput(
            positions: try model.positions(), segments: try model.segments(), norm: try model.norm("token_embd_norm"))
        return try Graph(model, rotary: nil, input: input, outputNorm: nil) { block throws(ModelError) in
            try layer(block, rotary: nil, channelMixer: .dense(try block.ungatedFeedForward()))
        }
    }

    /// A layer with the given network.
    static func layer(
        _ block: Block, rotary: RotaryChoice?, channelMixer: ChannelMixer
    ) throws(ModelError) -> Layer {
        Layer(
            mixer: .attention(try block.attention(rotary: rotary, isCausal: false)),
            mixerSumNorm: try block.norm("attn_output_norm"),
            channelMixer: channelMixer,
            feedForwardSumNorm: try block.norm("layer_output_norm"))
    }
}

extension Binder {
    /// Rejects a file that declares causal attention, for architectures that are always bidirectional.
    func refuseCausal() throws(ModelError) {
        guard try isCausal(default: false) else { return }
        throw .contradiction(
            "\(parameters.key("attention.causal")) is true, but \(configuration.architecture) models have bidirectional attention"
        )
    }
}
