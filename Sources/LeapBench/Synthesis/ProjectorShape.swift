import LeapGGUF
import LeapQuantize

/// The hyper-parameters of a published vision encoder with its projector.
struct ProjectorShape: ProjectorDescription {
    /// The name on the command line.
    let name: String
    /// `general.name`
    let title: String
    var blockCount: Int
    let embeddingLength: Int
    let feedForwardLength: Int
    let headCount: Int
    /// Width of the projector's hidden layer.
    let projectorLength: Int
    /// Width of its output rows, which is that of the language model.
    let outputLength: Int

    /// The side of a patch in pixels.
    static let patchSize = 16
    /// The side, in patches, of the area that becomes one row.
    static let scaleFactor = 2
    /// Rows and columns of the position table.
    static let positionsPerSide = 16

    /// The available shapes. Source: the models' configuration files.
    static let all: [ProjectorShape] = [
        lfm25("450M", blocks: 12, embedding: 768, feedForward: 3072, heads: 12, output: 1024),
        lfm25("1.6B", blocks: 27, embedding: 1152, feedForward: 4304, heads: 16, output: 2048),
    ]

    private static func lfm25(
        _ size: String, blocks: Int, embedding: Int, feedForward: Int, heads: Int, output: Int
    ) -> ProjectorShape {
        ProjectorShape(
            name: "mmproj-lfm2.5-vl-\(size.lowercased())", title: "LFM2.5 VL \(size)", blockCount: blocks,
            embeddingLength: embedding, feedForwardLength: feedForward, headCount: heads, projectorLength: 2048,
            outputLength: output)
    }

    /// All tensors in the order of the file, by the names that GGUF gives them.
    var tensors: [TensorShape] {
        let (width, hidden, patch) = (embeddingLength, feedForwardLength, Self.patchSize)
        let unshuffled = Self.scaleFactor * Self.scaleFactor * width
        var tensors = [
            TensorShape(name: "v.patch_embd.weight", role: .filter, dimensions: [patch, patch, 3, width]),
            vector("v.patch_embd.bias", width),
            TensorShape(
                name: "v.position_embd.weight", role: .norm,
                dimensions: [width, Self.positionsPerSide * Self.positionsPerSide]),
        ]
        for block in 0..<blockCount {
            let prefix = "v.blk.\(block)."
            tensors += norm("\(prefix)ln1", width)
            for name in ["attn_q", "attn_k", "attn_v", "attn_out"] { tensors += linear(prefix + name, width, width) }
            tensors += norm("\(prefix)ln2", width)
            tensors += linear("\(prefix)ffn_up", width, hidden) + linear("\(prefix)ffn_down", hidden, width)
        }
        return tensors + norm("v.post_ln", width) + linear("mm.1", unshuffled, projectorLength)
            + linear("mm.2", projectorLength, outputLength)
    }

    func setMetadata(of writer: inout GGUFWriter) {
        writer.set("clip.has_vision_encoder", .bool(true))
        writer.set("clip.projector_type", .string("lfm2"))
        writer.set("clip.use_gelu", .bool(true))
        let numbers = [
            ("image_size", Self.patchSize * Self.positionsPerSide), ("patch_size", Self.patchSize),
            ("embedding_length", embeddingLength), ("feed_forward_length", feedForwardLength),
            ("block_count", blockCount), ("attention.head_count", headCount), ("projection_dim", outputLength),
            ("projector.scale_factor", Self.scaleFactor),
        ]
        for (key, number) in numbers { writer.set("clip.vision.\(key)", .uint32(UInt32(number))) }
        writer.set("clip.vision.attention.layer_norm_epsilon", .float32(1e-6))
        for key in ["image_mean", "image_std"] {
            writer.set("clip.vision.\(key)", array: [Float](repeating: 0.5, count: 3))
        }
    }
}
