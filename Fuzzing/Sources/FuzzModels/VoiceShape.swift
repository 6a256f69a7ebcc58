import LeapBlocks
import LeapGGUF
import LeapModels

/// The sizes of a valid vocoder that includes its detokenizer.
struct VocoderShape {
    /// Of the depthformer.
    var width: Int
    var headDimension: Int
    /// Query heads for each key/value head.
    var group: Int
    var feedForward: Int
    /// Layers of each part.
    var blocks: Int
    /// Taps of the detokenizer's convolutions.
    var taps: Int

    /// Width of the language model's rows, and of the detokenizer's. Tables have tens of thousands of rows.
    private static let model = 32
    private static let inner = 32
    private static let spectrum = 1282
    private static let books = VocoderConfiguration.books
    private static let codes = 2049

    /// Elements of the matrices that edits can enlarge.
    var elements: Int {
        blocks * (4 * width * width + 3 * width * feedForward) + Self.books * width * (Self.codes + Self.model)
    }

    private var keyWidth: Int { max(headDimension, width / max(1, group) / headDimension * headDimension) }

    /// Writes the keys of a valid file.
    func setHyperParameters(_ writer: inout GGUFWriter) {
        writer.set("depthformer_n_layer", .uint32(UInt32(blocks)))
        writer.set("depthformer_n_embd", .uint32(UInt32(width)))
    }

    /// The tensors of a valid file.
    ///
    /// - Parameter types: Of tables, attention and convolution, feed-forward.
    func tensors(_ types: [GGMLType]) -> [Shape.Tensor] {
        var tensors = Shape.projection("depth_linear", types[1], columns: Self.model, rows: Self.books * width)
        for block in 0..<blocks { tensors += depthLayer("depthformer.layers.\(block).", types) }
        for book in 0..<Self.books {
            let name = "depth_embeddings.\(book)."
            tensors.append(Shape.matrix(name + "embedding.weight", types[0], columns: width, rows: Self.codes))
            tensors.append(Shape.vector(name + "embedding_norm.weight", width))
        }
        tensors.append(table("audio_embedding.embedding.weight", types[0], Self.model, Self.codes))
        tensors.append(table("emb.emb.weight", types[0], Self.inner, VocoderConfiguration.soundingCodes))
        for block in 0..<blocks { tensors += innerLayer("lfm.layers.\(block).", block, types) }
        tensors.append(Shape.vector("lfm.embedding_norm.weight", Self.inner))
        return tensors + Shape.projection("lin", types[1], columns: Self.inner, rows: Self.spectrum)
    }

    private func table(_ name: String, _ type: GGMLType, _ columns: Int, _ codes: Int) -> Shape.Tensor {
        Shape.matrix(name, type == .F32 ? .Q4_0 : type, columns: columns, rows: Self.books * codes)
    }

    private func depthLayer(_ name: String, _ types: [GGMLType]) -> [Shape.Tensor] {
        [
            Shape.vector(name + "operator_norm.weight", width),
            Shape.matrix(name + "operator.qkv_proj.weight", types[1], columns: width, rows: width + 2 * keyWidth),
            Shape.vector(name + "operator.attention.q_layernorm.weight", headDimension),
            Shape.vector(name + "operator.attention.k_layernorm.weight", headDimension),
            Shape.matrix(name + "operator.out_proj.weight", types[1], columns: width, rows: width),
            Shape.vector(name + "ffn_norm.weight", width),
            Shape.matrix(name + "feed_forward.w1.weight", types[2], columns: width, rows: feedForward),
            Shape.matrix(name + "feed_forward.w3.weight", types[2], columns: width, rows: feedForward),
            Shape.matrix(name + "feed_forward.w2.weight", types[2], columns: feedForward, rows: width),
        ]
    }

    private func innerLayer(_ name: String, _ block: Int, _ types: [GGMLType]) -> [Shape.Tensor] {
        let width = Self.inner
        func square(_ part: String, rows: Int = width) -> Shape.Tensor {
            Shape.matrix("\(name)\(part).weight", types[1], columns: width, rows: rows)
        }
        let mixer =
            block % 2 == 0
            ? [
                square("conv.in_proj", rows: 3 * width), square("conv.out_proj"),
                Shape.Tensor(name: name + "conv.conv.weight", type: .F32, dimensions: [taps, width]),
            ]
            : [
                square("self_attn.q_proj"), square("self_attn.k_proj", rows: width / 2),
                square("self_attn.v_proj", rows: width / 2), square("self_attn.out_proj"),
                Shape.vector(name + "self_attn.q_layernorm.weight", width / 4),
                Shape.vector(name + "self_attn.k_layernorm.weight", width / 4),
            ]
        return mixer + [
            Shape.vector(name + "operator_norm.weight", width), Shape.vector(name + "ffn_norm.weight", width),
            square("feed_forward.w1", rows: 48), square("feed_forward.w3", rows: 48),
            Shape.matrix(name + "feed_forward.w2.weight", types[2], columns: 48, rows: width),
        ]
    }
}
