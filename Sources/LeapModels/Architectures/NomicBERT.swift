import LeapOps

/// Nomic's BERT (nomic-embed-text v1 and v1.5): BERT's layers with positions that rotate and a gated network, and without
/// biases.
///
/// Rotary pairs are in NeoX order. Source: Nussbaum et al. 2024, "Nomic Embed", section 3; tensor names and keys as GGUF files
/// have them.
enum NomicBERT: Architecture {
    static let name = "nomic-bert"
    static let encoderKeys: Set = ["attention.causal"]
    static let norm = StreamNorm.Kind.layer(hasBiases: true)

    static func graph(_ model: Binder) throws(ModelError) -> Graph {
        try model.refuseCausal()
        let input = TextInput(
            positions: nil, segments: try model.segmentsIfPresent(), norm: try model.norm("token_embd_norm"))
        return try Graph(model, rotary: model.rotary(.neoX), input: input, outputNorm: nil) {
            block throws(ModelError) in
            try BERT.layer(block, rotary: .global, channelMixer: .dense(try block.feedForward()))
        }
    }
}
