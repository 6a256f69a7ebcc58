import LeapGGUF
import LeapQuantize

/// The sizes of a published vocoder, which generates audio codes.
struct VocoderShape: ProjectorDescription {
    let name: String
    let title: String
    let kind = SynthesisKind(architecture: "a vocoder, which is no language model", type: nil)
    var blockCount: Int
    let width: Int
    let headDimension: Int
    let keyWidth: Int
    let feedForwardLength: Int
    /// Width of the language model's rows.
    let modelLength: Int
    /// Width of the audio tokenizer's rows.
    let tokenizerLength: Int

    private static let books = 8
    private static let codes = 2049
    private static let soundingCodes = 2048

    /// The available shapes. Source: the models' configuration files.
    static let all = [
        VocoderShape(
            name: "vocoder-lfm2.5-audio-1.5b", title: "LFM2.5 Audio 1.5B vocoder", blockCount: 6, width: 1024,
            headDimension: 32, keyWidth: 256, feedForwardLength: 2816, modelLength: 2048, tokenizerLength: 512)
    ]

    var tensors: [TensorShape] {
        var tensors = linear("depth_linear", modelLength, Self.books * width)
        for block in 0..<blockCount { tensors += layer("depthformer.layers.\(block).") }
        for book in 0..<Self.books {
            let prefix = "depth_embeddings.\(book)."
            tensors.append(matrix("\(prefix)embedding.weight", width, Self.codes))
            tensors.append(vector("\(prefix)embedding_norm.weight", width))
            tensors.append(matrix("\(prefix)to_logits.weight", width, Self.codes))
        }
        tensors.append(matrix("audio_embedding.embedding.weight", modelLength, Self.books * Self.codes))
        tensors.append(matrix("emb.emb.weight", tokenizerLength, Self.books * Self.soundingCodes))
        return tensors
    }

    private func layer(_ prefix: String) -> [TensorShape] {
        let operation = prefix + "operator."
        return [
            vector("\(prefix)operator_norm.weight", width), vector("\(prefix)ffn_norm.weight", width),
            matrix("\(operation)qkv_proj.weight", width, width + 2 * keyWidth),
            vector("\(operation)attention.q_layernorm.weight", headDimension),
            vector("\(operation)attention.k_layernorm.weight", headDimension),
            matrix("\(operation)out_proj.weight", width, width),
            matrix("\(prefix)feed_forward.w1.weight", width, feedForwardLength),
            matrix("\(prefix)feed_forward.w3.weight", width, feedForwardLength),
            matrix("\(prefix)feed_forward.w2.weight", feedForwardLength, width),
        ]
    }

    func setMetadata(of writer: inout GGUFWriter) {
        writer.set("depthformer_n_layer", .uint32(UInt32(blockCount)))
        writer.set("depthformer_n_embd", .uint32(UInt32(width)))
    }
}
