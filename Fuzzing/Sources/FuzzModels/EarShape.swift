import LeapBlocks
import LeapGGUF

/// The sizes of a valid audio encoder with its projector.
struct AudioEncoderShape {
    var width: Int
    var heads: Int
    var feedForward: Int
    var blocks: Int
    /// Taps of the convolutions within layers.
    var taps: Int
    /// Width of the language model's rows.
    var output: Int

    private static let channels = 4
    private static let bands = 16
    private static let hidden = 24

    /// Elements of all matrices.
    var elements: Int {
        blocks * (4 * width * feedForward + 8 * width * width) + 2 * Self.channels * width + Self.hidden
            * (width + output)
    }

    /// Writes the keys of a valid file.
    func setHyperParameters(_ writer: inout GGUFWriter) {
        writer.set("clip.has_audio_encoder", .bool(true))
        writer.set("clip.projector_type", .string("lfm2a"))
        let numbers = [
            ("embedding_length", width), ("feed_forward_length", width), ("block_count", blocks),
            ("attention.head_count", heads), ("projection_dim", output), ("num_mel_bins", Self.bands),
        ]
        for (key, number) in numbers { writer.set("clip.audio.\(key)", .uint32(UInt32(number))) }
        writer.set("clip.audio.attention.layer_norm_epsilon", .float32(1e-5))
    }

    /// The tensors of a valid file.
    ///
    /// - Parameter types: Of convolutions' output and projector, attention, feed-forward.
    func tensors(_ types: [GGMLType]) -> [Shape.Tensor] {
        var tensors: [Shape.Tensor] = []
        for index in [0, 2, 5] { tensors += convolution(index, [3, 3, 1, Self.channels]) }
        for index in [3, 6] { tensors += convolution(index, [1, 1, Self.channels, Self.channels]) }
        tensors += Shape.projection("a.pre_encode.out", types[0], columns: Self.channels * Self.bands / 8, rows: width)
        for block in 0..<blocks { tensors += layer("a.blk.\(block).", types) }
        return tensors + Shape.pair("mm.a.mlp.0", width)
            + Shape.projection("mm.a.mlp.1", types[0], columns: width, rows: Self.hidden)
            + Shape.projection("mm.a.mlp.3", types[0], columns: Self.hidden, rows: output)
    }

    private func convolution(_ index: Int, _ dimensions: [Int]) -> [Shape.Tensor] {
        [
            Shape.Tensor(name: "a.conv1d.\(index).weight", type: .F32, dimensions: dimensions),
            Shape.vector("a.conv1d.\(index).bias", dimensions[3]),
        ]
    }

    private func layer(_ name: String, _ types: [GGMLType]) -> [Shape.Tensor] {
        var tensors: [Shape.Tensor] = []
        for suffix in ["", "_1"] {
            tensors += Shape.pair("\(name)ffn_norm\(suffix)", width)
            tensors += Shape.projection("\(name)ffn_up\(suffix)", types[2], columns: width, rows: feedForward)
            tensors += Shape.projection("\(name)ffn_down\(suffix)", types[2], columns: feedForward, rows: width)
        }
        tensors += Shape.pair("\(name)ln1", width)
        for part in ["attn_q", "attn_k", "attn_v", "attn_out"] {
            tensors += Shape.projection(name + part, types[1], columns: width, rows: width)
        }
        tensors.append(Shape.matrix("\(name)linear_pos.weight", types[1], columns: width, rows: width))
        for part in ["pos_bias_u", "pos_bias_v"] {
            tensors.append(Shape.Tensor(name: name + part, type: .F32, dimensions: [max(1, width / heads), heads]))
        }
        tensors += Shape.pair("\(name)norm_conv", width)
        tensors += Shape.projection("\(name)conv_pw1", types[1], columns: width, rows: 2 * width)
        tensors.append(Shape.Tensor(name: "\(name)conv_dw.weight", type: .F32, dimensions: [taps, width]))
        tensors.append(Shape.vector("\(name)conv_dw.bias", width))
        return tensors + Shape.pair("\(name)conv_norm", width)
            + Shape.projection("\(name)conv_pw2", types[1], columns: width, rows: width)
            + Shape.pair("\(name)ln2", width)
    }
}
