import LeapGGUF

/// The hyper-parameters of a vision encoder with its projector; validated and immutable.
///
/// The keys begin with `clip.`, because the first encoder that was written to such files was CLIP's.
public struct VisionConfiguration: Sendable {
    /// `clip.vision.embedding_length`: width of the residual stream.
    public let embeddingLength: Int
    /// `clip.vision.feed_forward_length`: hidden width of the feed-forward networks.
    public let feedForwardLength: Int
    /// `clip.vision.block_count`: layers.
    public let blockCount: Int
    /// `clip.vision.attention.head_count`
    public let headCount: Int
    /// `clip.vision.patch_size`: pixels on a side of a patch.
    public let patchSize: Int
    /// `clip.vision.projector.scale_factor`: patches on a side of the square that becomes one row.
    public let scaleFactor: Int
    /// `clip.vision.attention.layer_norm_epsilon`
    public let normEpsilon: Float
    /// `clip.vision.image_mean`: what is subtracted from red, green and blue, which go from 0 to 1.
    public let imageMean: [Float]
    /// `clip.vision.image_std`: what red, green and blue are divided by then.
    public let imageDeviation: [Float]
    /// Rows and columns of the table of learned positions.
    public let positionsPerSide: Int
    /// Width of the projector's hidden layer.
    public let projectorLength: Int
    /// Width of the rows that the projector makes: that of the language model's embeddings.
    public let outputLength: Int

    /// Pixels on a side of what becomes one row.
    public var pixelsPerRow: Int { patchSize * scaleFactor }

    /// Numbers of a patch: red, green and blue of its pixels.
    public var patchLength: Int { 3 * patchSize * patchSize }

    /// Elements of a head.
    var headDimension: Int { embeddingLength / headCount }

    /// Patches of four become one vector of this width.
    var unshuffledLength: Int { scaleFactor * scaleFactor * embeddingLength }

    /// Bounds that no sane encoder exceeds, so that products of hyper-parameters cannot overflow.
    private enum Bound {
        static let width = 1...1 << 16
        static let feedForward = 1...1 << 18
        static let blocks = 1...1000
        static let heads = 1...4096
        static let patch = 1...256
        static let scale = 1...16
        static let positions = 1...4096
        /// Pixels per side of the square that becomes one row. Images are enlarged to some hundreds of rows.
        static let pixels = 1...256
    }

    /// The one projector that is known: pixel unshuffle and two linear layers, of LFM2-VL and LFM2.5-VL.
    private static let projector = "lfm2"

    /// Reads and checks the keys, and derives the values without a key from the tensors.
    init(_ weights: Weights) throws(ModelError) {
        let parameters = HyperParameters(metadata: weights.file.metadata, architecture: VisionEncoder.architecture)
        try Self.refuseOthers(parameters)
        embeddingLength = try parameters.integer("vision.embedding_length", in: Bound.width)
        feedForwardLength = try parameters.integer("vision.feed_forward_length", in: Bound.feedForward)
        blockCount = try parameters.integer("vision.block_count", in: Bound.blocks)
        headCount = try parameters.integer("vision.attention.head_count", in: Bound.heads)
        patchSize = try parameters.integer("vision.patch_size", in: Bound.patch)
        scaleFactor = try parameters.integerIfPresent("vision.projector.scale_factor", in: Bound.scale) ?? 2
        normEpsilon = try parameters.float("vision.attention.layer_norm_epsilon")
        imageMean = try Self.colors(parameters, "vision.image_mean") { $0.isFinite }
        imageDeviation = try Self.colors(parameters, "vision.image_std") { $0.isNormal && $0 > 0 }
        positionsPerSide = try Self.positionsPerSide(weights)
        projectorLength = try weights.length(of: "mm.1.bias", in: Bound.width)
        outputLength = try weights.length(of: "mm.2.bias", in: Bound.width)
        try validate(parameters)
    }

    /// Refuses files that have no vision encoder, or one of another shape.
    private static func refuseOthers(_ parameters: HyperParameters) throws(ModelError) {
        guard try parameters.boolIfPresent("has_vision_encoder") == true else {
            throw .contradiction(
                "\(parameters.key("has_vision_encoder")) is not true, so the file has no vision encoder")
        }
        var type = try parameters.stringIfPresent("vision.projector_type")
        if type == nil { type = try parameters.stringIfPresent("projector_type") }
        guard type == projector else {
            throw .unsupportedFeature(
                key: parameters.key("projector_type"), value: type ?? "nothing",
                reason: "the only supported value is \(projector)")
        }
        for (name, expected) in [("use_gelu", true), ("use_silu", false)] {
            guard try parameters.boolIfPresent(name) ?? false == expected else {
                throw .unsupportedFeature(
                    key: parameters.key(name), value: "\(!expected)",
                    reason: "projectors of type \(projector) use GELU in their feed-forward networks")
            }
        }
    }

    /// Three numbers, for red, green and blue.
    private static func colors(
        _ parameters: HyperParameters, _ name: String, where isSane: (Float) -> Bool
    ) throws(ModelError) -> [Float] {
        let values = try reading { () throws(GGUFError) in try parameters.metadata.floats(parameters.key(name)) }
        guard values.count >= 3, values.prefix(3).allSatisfy(isSane) else {
            throw .contradiction(
                "\(parameters.key(name)) is \(values), but must be three numbers that normalise red, green and blue")
        }
        return Array(values.prefix(3))
    }

    /// The position table is a square; its side follows only from its size.
    private static func positionsPerSide(_ weights: Weights) throws(ModelError) -> Int {
        let dimensions = try weights.dimensions(of: VisionEncoder.positionTable)
        let count = dimensions.count == 2 ? dimensions[1] : 0
        let side = Int(Double(count).squareRoot().rounded())
        guard Bound.positions.contains(side), side * side == count else {
            throw .contradiction(
                "\(VisionEncoder.positionTable) has shape \(dimensions), but must have one row for each position of a square"
            )
        }
        return side
    }

    private func validate(_ parameters: HyperParameters) throws(ModelError) {
        guard embeddingLength.isMultiple(of: headCount), headDimension > 1 else {
            throw .contradiction(
                "the embedding length \(embeddingLength) must be a multiple of the \(headCount) heads, and larger")
        }
        guard Bound.pixels.contains(pixelsPerRow) else {
            throw .contradiction(
                "\(parameters.key("vision.patch_size")) \(patchSize) times "
                    + "\(parameters.key("vision.projector.scale_factor")) \(scaleFactor) is \(pixelsPerRow) pixels per "
                    + "row, but must be at most \(Bound.pixels.upperBound)")
        }
        guard normEpsilon >= 0, normEpsilon < 1 else {
            throw .contradiction("layer_norm_epsilon is \(normEpsilon), but must be from 0 to 1")
        }
        guard positionsPerSide.isMultiple(of: scaleFactor) else {
            throw .contradiction(
                "\(parameters.key("vision.projector.scale_factor")) is \(scaleFactor), which does not divide "
                    + "\(positionsPerSide) patches per side")
        }
    }
}
