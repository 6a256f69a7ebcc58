import LeapBlocks
import LeapGGUF

/// The sizes of a valid vision encoder with its projector.
struct ProjectorShape {
    var width: Int
    var heads: Int
    var feedForward: Int
    var blocks: Int
    /// The side of a patch in pixels.
    var patch: Int
    /// Width of the language model's rows.
    var output: Int
    /// Whether queries, keys and values share one matrix.
    var isJoint: Bool
    /// Whether the projector has a norm.
    var hasNorm: Bool

    /// Patches per side of the square that becomes one row, and per side of the position table.
    private static let scale = 2
    private static let side = 4
    private static let hidden = 48

    private var unshuffled: Int { Self.scale * Self.scale * width }

    /// Elements of all matrices.
    var elements: Int {
        blocks * (4 * width * width + 2 * width * feedForward) + 3 * patch * patch * width + unshuffled * Self.hidden
            + Self.hidden * output
    }

    /// Writes the keys of a valid file.
    func setHyperParameters(_ writer: inout GGUFWriter) {
        writer.set("clip.has_vision_encoder", .bool(true))
        writer.set("clip.projector_type", .string("lfm2"))
        writer.set("clip.use_gelu", .bool(true))
        let numbers = [
            ("embedding_length", width), ("feed_forward_length", feedForward), ("block_count", blocks),
            ("attention.head_count", heads), ("patch_size", patch), ("projector.scale_factor", Self.scale),
            ("image_size", Self.side * patch), ("projection_dim", output),
        ]
        for (key, number) in numbers { writer.set("clip.vision.\(key)", .uint32(UInt32(number))) }
        writer.set("clip.vision.attention.layer_norm_epsilon", .float32(1e-6))
        for key in ["image_mean", "image_std"] {
            writer.set("clip.vision.\(key)", array: [Float](repeating: 0.5, count: 3))
        }
    }

    /// The tensors of a valid file.
    ///
    /// - Parameter types: Of embedding and projector, attention, feed-forward.
    func tensors(_ types: [GGMLType]) -> [Shape.Tensor] {
        var tensors = [
            Shape.Tensor(name: "v.patch_embd.weight", type: .F32, dimensions: [patch, patch, 3, width]),
            Shape.vector("v.patch_embd.bias", width),
            Shape.Tensor(name: "v.position_embd.weight", type: .F32, dimensions: [width, Self.side * Self.side]),
        ]
        for block in 0..<blocks { tensors += layer("v.blk.\(block)", types) }
        tensors += Shape.pair("v.post_ln", width)
        if hasNorm { tensors += Shape.pair("mm.input_norm", unshuffled) }
        return tensors + Shape.projection("mm.1", types[0], columns: unshuffled, rows: Self.hidden)
            + Shape.projection("mm.2", types[0], columns: Self.hidden, rows: output)
    }

    private func layer(_ name: String, _ types: [GGMLType]) -> [Shape.Tensor] {
        let inputs = isJoint ? [("attn_qkv", 3 * width)] : [("attn_q", width), ("attn_k", width), ("attn_v", width)]
        return Shape.pair("\(name).ln1", width)
            + inputs.flatMap { Shape.projection("\(name).\($0)", types[1], columns: width, rows: $1) }
            + Shape.projection("\(name).attn_out", types[1], columns: width, rows: width)
            + Shape.pair("\(name).ln2", width)
            + Shape.projection("\(name).ffn_up", types[2], columns: width, rows: feedForward)
            + Shape.projection("\(name).ffn_down", types[2], columns: feedForward, rows: width)
    }
}
