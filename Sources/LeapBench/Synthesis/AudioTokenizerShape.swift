import LeapGGUF
import LeapQuantize

/// The sizes of a published audio tokenizer, which decodes codes to spectra.
struct AudioTokenizerShape: ProjectorDescription {
    let name: String
    let title: String
    let kind = SynthesisKind(architecture: "lfm2", type: nil)
    var blockCount: Int
    let width: Int
    let headCount: Int
    let keyHeadCount: Int
    /// The layers with attention; all others are convolutions.
    let attentions: [Int]
    let feedForwardLength: Int
    let taps: Int
    let window: Int
    let outputLength: Int

    /// The available shapes. Source: the models' configuration files.
    static let all = [
        AudioTokenizerShape(
            name: "tokenizer-lfm2.5-audio-1.5b", title: "LFM2.5 Audio 1.5B audio tokenizer", blockCount: 8, width: 512,
            headCount: 16, keyHeadCount: 8, attentions: [2, 4, 6], feedForwardLength: 2304, taps: 3, window: 30,
            outputLength: 1282)
    ]

    /// Its vocabulary is never used.
    private static let vocabularySize = 64

    var tensors: [TensorShape] {
        var tensors = [
            matrix("token_embd.weight", width, Self.vocabularySize), vector("token_embd_norm.weight", width),
        ]
        for block in 0..<blockCount { tensors += layer(block) }
        return tensors + linear("dense_2", width, outputLength)
    }

    private func layer(_ block: Int) -> [TensorShape] {
        let prefix = "blk.\(block)."
        let mixer = attentions.contains(block) ? attention(prefix) : convolution(prefix + "shortconv.")
        return [vector("\(prefix)attn_norm.weight", width)] + mixer + [
            vector("\(prefix)ffn_norm.weight", width), matrix("\(prefix)ffn_gate.weight", width, feedForwardLength),
            matrix("\(prefix)ffn_up.weight", width, feedForwardLength),
            matrix("\(prefix)ffn_down.weight", feedForwardLength, width),
        ]
    }

    private func attention(_ prefix: String) -> [TensorShape] {
        let headDimension = width / headCount
        let keyWidth = keyHeadCount * headDimension
        return [
            matrix("\(prefix)attn_q.weight", width, width), matrix("\(prefix)attn_k.weight", width, keyWidth),
            matrix("\(prefix)attn_v.weight", width, keyWidth), matrix("\(prefix)attn_output.weight", width, width),
            vector("\(prefix)attn_q_norm.weight", headDimension), vector("\(prefix)attn_k_norm.weight", headDimension),
        ]
    }

    private func convolution(_ prefix: String) -> [TensorShape] {
        [
            matrix("\(prefix)in_proj.weight", width, 3 * width), matrix("\(prefix)out_proj.weight", width, width),
            TensorShape(name: "\(prefix)conv.weight", role: .filter, dimensions: [taps, width]),
        ]
    }

    func setMetadata(of writer: inout GGUFWriter) {
        writer.set("tokenizer.ggml.model", .string("none"))
        let numbers = [
            ("context_length", 128_000), ("embedding_length", width), ("block_count", blockCount),
            ("feed_forward_length", feedForwardLength), ("attention.head_count", headCount),
            ("shortconv.l_cache", taps),
            ("attention.sliding_window", window), ("vocab_size", Self.vocabularySize),
            ("embedding_length_out", outputLength),
        ]
        for (key, number) in numbers { writer.set("lfm2.\(key)", .uint32(UInt32(number))) }
        writer.set(
            "lfm2.attention.head_count_kv",
            array: (0..<blockCount).map { attentions.contains($0) ? Int32(keyHeadCount) : 0 })
        writer.set("lfm2.attention.layer_norm_rms_epsilon", .float32(1e-5))
        writer.set("lfm2.rope.freq_base", .float32(1e6))
    }
}
