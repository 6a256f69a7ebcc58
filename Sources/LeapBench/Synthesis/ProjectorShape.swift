import LeapQuantize

/// The hyper-parameters of a published vision encoder with its projector.
struct ProjectorShape: Hashable, Sendable {
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
    /// Width of the rows that it makes: that of the language model.
    let outputLength: Int

    /// Pixels on a side of a patch.
    static let patchSize = 16
    /// Patches on a side of what becomes one row.
    static let scaleFactor = 2
    /// Rows and columns of the table of positions.
    static let positionsPerSide = 16

    /// The shapes that can be asked for. Source: the models' configuration files.
    static let all: [ProjectorShape] = [
        lfm25("450M", blocks: 12, embedding: 768, feedForward: 3072, heads: 12, output: 1024),
        lfm25("1.6B", blocks: 27, embedding: 1152, feedForward: 4304, heads: 16, output: 2048),
    ]

    /// The shape with a name, upper or lower case.
    static func named(_ name: String) -> ProjectorShape? { all.first { $0.name == name.lowercased() } }

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

    private func linear(_ name: String, _ columns: Int, _ rows: Int) -> [TensorShape] {
        [
            TensorShape(name: "\(name).weight", role: .matrix, dimensions: [columns, rows]),
            vector("\(name).bias", rows),
        ]
    }

    private func norm(_ name: String, _ width: Int) -> [TensorShape] {
        [vector("\(name).weight", width), vector("\(name).bias", width)]
    }

    private func vector(_ name: String, _ count: Int) -> TensorShape {
        TensorShape(name: name, role: .norm, dimensions: [count])
    }
}
