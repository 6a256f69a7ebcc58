public import LeapGGUF

/// The sizes of a vocoder's parts; validated and immutable.
public struct VocoderConfiguration: Sendable {
    /// `depthformer_n_layer`
    public let blockCount: Int
    /// `depthformer_n_embd`: width of the depthformer.
    public let width: Int
    /// Query heads.
    public let headCount: Int
    /// Key/value heads.
    public let keyValueHeads: Int
    /// Elements of a head.
    public let headDimension: Int
    /// Hidden width of the feed-forward networks.
    public let feedForwardLength: Int
    /// Width of the language model's rows.
    public let modelWidth: Int

    /// Codebooks: codes of a frame.
    public static let books = 8
    /// Codes of a book that stand for audio.
    public static let soundingCodes = 2048
    /// The code that ends speech.
    public static let endCode: Int32 = 2048
    /// Codes of a book, with the one that ends.
    static let codes = soundingCodes + 1

    /// What a file must have.
    static let widthKey = "depthformer_n_embd"
    private static let blocksKey = "depthformer_n_layer"

    /// Whether a file is a vocoder.
    public static func isVocoder(_ file: GGUFFile) -> Bool {
        (try? file.metadata.integerIfPresent(widthKey, in: 1...1 << 16)) ?? nil != nil
    }

    init(_ weights: Weights) throws(ModelError) {
        let metadata = weights.file.metadata
        blockCount = try reading { () throws(GGUFError) in try metadata.integer(Self.blocksKey, in: 1...256) }
        width = try reading { () throws(GGUFError) in try metadata.integer(Self.widthKey, in: 1...1 << 16) }
        let layer = VocoderNames.layer(0)
        headDimension = try weights.length(of: VocoderNames.headNorm("q", of: 0), in: 2...1 << 12)
        feedForwardLength = try weights.rows(of: "\(layer).feed_forward.w1.weight")
        modelWidth = try weights.dimensions(of: "depth_linear.weight").first ?? 0
        let joint = try weights.rows(of: "\(layer).operator.qkv_proj.weight")
        let heads = (queries: width / headDimension, others: joint - width)
        guard width.isMultiple(of: headDimension), headDimension.isMultiple(of: 2), heads.others > 0,
            heads.others.isMultiple(of: 2 * headDimension),
            heads.queries.isMultiple(of: heads.others / (2 * headDimension)), (1...1 << 16).contains(modelWidth)
        else {
            throw .contradiction(
                "the depthformer has width \(width), head size \(headDimension) and \(joint) rows for queries, keys and "
                    + "values, which do not form whole heads")
        }
        (headCount, keyValueHeads) = (heads.queries, heads.others / (2 * headDimension))
    }
}

/// Names of a vocoder's tensors.
enum VocoderNames {
    static func layer(_ index: Int) -> String { "depthformer.layers.\(index)" }

    /// A norm of heads. The name in checkpoints is too long for a tensor in a file.
    static func headNorm(_ kind: String, of index: Int) -> String {
        "\(layer(index)).operator.attention.\(kind)_layernorm.weight"
    }
}
