import LeapOps

/// LFM2: a hybrid of gated short convolutions and grouped-query attention.
///
/// A layer has attention if its `lfm2.attention.head_count_kv` is not 0, else a short convolution. Queries and
/// keys are normalised per head; rotary pairs are in NeoX order; the output projection may be tied to the embedding.
/// If `lfm2.attention.causal` is false, the model is an encoder: attention is bidirectional, and convolutions are centred.
/// Audio detokenizers have a sliding window.
/// Source: LFM2 technical report (Liquid AI 2025); tensor names and keys as GGUF files have them.
enum LFM2: Architecture {
    static let name = "lfm2"
    static let encoderKeys: Set = ["attention.causal", "attention.sliding_window"]

    static func graph(_ model: Binder) throws(ModelError) -> Graph {
        let isCausal = try model.isCausal(default: true)
        let windows = try model.windows(period: 0)
        return try Graph(model, rotary: model.rotary(.neoX), outputNorm: outputNorm(model)) {
            block throws(ModelError) in
            try layer(
                block, isCausal: isCausal, window: windows[block.index], channelMixer: .dense(try block.feedForward()))
        }
    }

    /// The name of the final norm. Since the first converted files it has been named after the embedding, although it
    /// stands at the other end of the model.
    static func outputNorm(_ model: Binder) -> String {
        model.weights.has("token_embd_norm.weight") ? "token_embd_norm" : "output_norm"
    }

    /// A layer with the given network.
    static func layer(
        _ block: Block, isCausal: Bool, window: Int? = nil, channelMixer: ChannelMixer
    ) throws(ModelError) -> Layer {
        Layer(
            mixerNorm: try block.norm("attn_norm"),
            mixer: block.keyValueHeads > 0
                ? .attention(try block.attention(norms: try block.headNorms(), window: window, isCausal: isCausal))
                : .convolution(try convolution(block, isCausal: isCausal)),
            feedForwardNorm: try block.norm("ffn_norm"),
            channelMixer: channelMixer)
    }

    private static func convolution(_ block: Block, isCausal: Bool) throws(ModelError) -> GatedShortConvolution {
        let width = block.configuration.embeddingLength
        let taps = try block.parameters.integer("shortconv.l_cache", in: 2...64)
        guard isCausal || !taps.isMultiple(of: 2) else {
            throw .contradiction(
                "\(block.parameters.key("shortconv.l_cache")) is \(taps), but must be odd for a bidirectional convolution"
            )
        }
        return GatedShortConvolution(
            input: try block.projection("shortconv.in_proj", rows: 3 * width, columns: width),
            filter: try block.transposed("shortconv.conv", rows: width, columns: taps),
            output: try block.projection("shortconv.out_proj", rows: width, columns: width),
            channels: width, taps: taps, isCausal: isCausal)
    }
}
