import LeapGGUF
import LeapQuantize

/// The hyper-parameters of a published audio encoder with its projector.
struct AudioProjectorShape: ProjectorDescription {
    let name: String
    let title: String
    var blockCount: Int
    let embeddingLength: Int
    let feedForwardLength: Int
    let headCount: Int
    let bands: Int
    /// Channels of the convolutions that downsample the spectrogram.
    let channels: Int
    /// Taps of the layers' convolutions.
    let taps: Int
    /// Width of the projector's hidden layer.
    let projectorLength: Int
    /// Width of its output rows, which is that of the language model.
    let outputLength: Int

    /// The available shapes. Source: the models' configuration files.
    static let all = [
        AudioProjectorShape(
            name: "mmproj-lfm2.5-audio-1.5b", title: "LFM2.5 Audio 1.5B", blockCount: 17, embeddingLength: 512,
            feedForwardLength: 2048, headCount: 8, bands: 128, channels: 256, taps: 9, projectorLength: 2048,
            outputLength: 2048)
    ]

    var tensors: [TensorShape] {
        let width = embeddingLength
        var tensors: [TensorShape] = []
        for index in [0, 2, 5] { tensors += convolution(index, [3, 3, 1, channels]) }
        for index in [3, 6] { tensors += convolution(index, [1, 1, channels, channels]) }
        tensors += linear("a.pre_encode.out", channels * bands / 8, width)
        for block in 0..<blockCount { tensors += layer("a.blk.\(block).") }
        return tensors + norm("mm.a.mlp.0", width) + linear("mm.a.mlp.1", width, projectorLength)
            + linear("mm.a.mlp.3", projectorLength, outputLength)
    }

    private func convolution(_ index: Int, _ dimensions: [Int]) -> [TensorShape] {
        let name = "a.conv1d.\(index)"
        return [
            TensorShape(name: "\(name).weight", role: .filter, dimensions: dimensions),
            vector("\(name).bias", dimensions[3]),
        ]
    }

    private func layer(_ prefix: String) -> [TensorShape] {
        let (width, hidden) = (embeddingLength, feedForwardLength)
        var tensors: [TensorShape] = []
        for suffix in ["", "_1"] {
            tensors += norm("\(prefix)ffn_norm\(suffix)", width) + linear("\(prefix)ffn_up\(suffix)", width, hidden)
            tensors += linear("\(prefix)ffn_down\(suffix)", hidden, width)
        }
        tensors += norm("\(prefix)ln1", width)
        for name in ["attn_q", "attn_k", "attn_v", "attn_out"] { tensors += linear(prefix + name, width, width) }
        tensors.append(TensorShape(name: "\(prefix)linear_pos.weight", role: .matrix, dimensions: [width, width]))
        for name in ["pos_bias_u", "pos_bias_v"] {
            tensors.append(
                TensorShape(name: prefix + name, role: .filter, dimensions: [width / headCount, headCount]))
        }
        tensors += norm("\(prefix)norm_conv", width) + linear("\(prefix)conv_pw1", width, 2 * width)
        tensors.append(TensorShape(name: "\(prefix)conv_dw.weight", role: .filter, dimensions: [taps, width]))
        tensors.append(vector("\(prefix)conv_dw.bias", width))
        return tensors + norm("\(prefix)conv_norm", width) + linear("\(prefix)conv_pw2", width, width)
            + norm("\(prefix)ln2", width)
    }

    func setMetadata(of writer: inout GGUFWriter) {
        writer.set("clip.has_audio_encoder", .bool(true))
        writer.set("clip.projector_type", .string("lfm2a"))
        let numbers = [
            ("embedding_length", embeddingLength), ("feed_forward_length", embeddingLength),
            ("block_count", blockCount), ("attention.head_count", headCount), ("projection_dim", outputLength),
            ("num_mel_bins", bands),
        ]
        for (key, number) in numbers { writer.set("clip.audio.\(key)", .uint32(UInt32(number))) }
        writer.set("clip.audio.attention.layer_norm_epsilon", .float32(1e-5))
    }
}
