import LeapGGUF
public import LeapOps

/// The hyper-parameters of one file that all architectures have; validated and immutable.
public struct ModelConfiguration: Sendable {
    /// `general.architecture`
    public let architecture: String
    /// `general.name`, if the file has one.
    public let name: String?
    /// `{arch}.context_length`: tokens that the model was trained to look back on.
    public let contextLength: Int
    /// `{arch}.embedding_length`: width of the residual stream.
    public let embeddingLength: Int
    /// Layers: `{arch}.block_count` less ``multiTokenPredictionBlockCount``.
    public let blockCount: Int
    /// `{arch}.nextn_predict_layers`: blocks for multi-token prediction after the layers; they are not used.
    public let multiTokenPredictionBlockCount: Int
    /// `{arch}.block_count`: entries of the file's lists of blocks.
    var fileBlockCount: Int { blockCount + multiTokenPredictionBlockCount }
    /// `{arch}.attention.head_count`: query heads.
    public let headCount: Int
    /// `{arch}.attention.head_count_kv`: key/value heads of each layer; 0 if a layer has no attention.
    public let keyValueHeadCounts: [Int]
    /// `{arch}.attention.key_length`: elements of a head.
    public let headDimension: Int
    /// `{arch}.feed_forward_length`: hidden width of each layer's feed-forward network; 0 if layers have experts and the file
    /// does not say.
    public let feedForwardLengths: [Int]
    /// `{arch}.expert_count`: feed-forward networks that a row chooses from, in the layers that have several; 0 if none has.
    public let expertCount: Int
    /// `{arch}.expert_used_count`: how many of them a row uses; 0 if there are none.
    public let expertUsedCount: Int
    /// `{arch}.attention.layer_norm_rms_epsilon`, or `layer_norm_epsilon` if norms are layer norms.
    public let normEpsilon: Float
    /// `{arch}.rope.dimension_count`: rotated elements of a head.
    public let rotaryDimensions: Int
    /// `{arch}.rope.freq_base`
    public let rotaryBase: Float
    /// `{arch}.rope.scaling.*`
    public let rotaryScaling: RotaryScaling
    /// `{arch}.rope.scaling.attn_factor`: a factor on rotated queries and keys, in addition to that of the scaling.
    public let rotaryMagnitude: Float
    /// Rows of the token embedding.
    public let vocabularySize: Int

    /// Bounds that no sane model exceeds, so that products of hyper-parameters cannot overflow: the largest is the memory
    /// of keys and values, blocks · context · width of attention · 8 bytes.
    private enum Bound {
        static let width = 1...1 << 20
        static let blocks = 1...4096
        static let heads = 1...65_536
        static let context = 1...1 << 27
        static let experts = 0...4096
        /// Elements of a head: rotary pairs are two.
        static let headDimension = 2...65_536
    }

    /// Reads and checks the keys of `parameters.architecture`.
    ///
    /// - Parameter epsilonKey: The key of the norms' ε.
    init(
        _ parameters: HyperParameters, vocabularySize: Int, name: String?, epsilonKey: String
    ) throws(ModelError) {
        architecture = parameters.architecture
        self.name = name
        self.vocabularySize = vocabularySize
        contextLength = try parameters.integer("context_length", in: Bound.context)
        embeddingLength = try parameters.integer("embedding_length", in: Bound.width)
        let allBlocks = try parameters.integer("block_count", in: Bound.blocks)
        multiTokenPredictionBlockCount =
            try parameters.integerIfPresent("nextn_predict_layers", in: 0...allBlocks - 1) ?? 0
        blockCount = allBlocks - multiTokenPredictionBlockCount
        headCount = try parameters.integer("attention.head_count", in: Bound.heads)
        let keyValueHeads =
            try parameters.integersPerBlockIfPresent(
                "attention.head_count_kv", blockCount: allBlocks, in: 0...headCount)
            ?? [Int](repeating: headCount, count: allBlocks)
        keyValueHeadCounts = Array(keyValueHeads.prefix(blockCount))
        expertCount = try parameters.integerIfPresent("expert_count", in: Bound.experts) ?? 0
        let lengths = try Self.feedForwardLengths(parameters, blockCount: allBlocks, hasExperts: expertCount > 0)
        feedForwardLengths = Array(lengths.prefix(blockCount))
        expertUsedCount = try parameters.integerIfPresent("expert_used_count", in: Bound.experts) ?? 0
        normEpsilon = try parameters.float(epsilonKey)
        headDimension = try Self.headDimension(parameters, embeddingLength: embeddingLength, headCount: headCount)
        rotaryDimensions =
            try parameters.integerIfPresent("rope.dimension_count", in: 2...headDimension) ?? headDimension
        rotaryBase = try parameters.floatIfPresent("rope.freq_base") ?? 10_000
        rotaryScaling = try RotaryScaling(parameters)
        rotaryMagnitude = try parameters.factorIfPresent("rope.scaling.attn_factor") ?? 1
        try validate(parameters, epsilonKey)
    }

    /// Files whose blocks all have experts need not say how wide a dense network would be.
    private static func feedForwardLengths(
        _ parameters: HyperParameters, blockCount: Int, hasExperts: Bool
    ) throws(ModelError) -> [Int] {
        let key = "feed_forward_length"
        if hasExperts, parameters.metadata.value(parameters.key(key)) == nil {
            return [Int](repeating: 0, count: blockCount)
        }
        return try parameters.integersPerBlock(key, blockCount: blockCount, in: Bound.width)
    }

    private static func headDimension(
        _ parameters: HyperParameters, embeddingLength: Int, headCount: Int
    ) throws(ModelError) -> Int {
        let key = try parameters.integerIfPresent("attention.key_length", in: Bound.headDimension)
        let value = try parameters.integerIfPresent("attention.value_length", in: Bound.headDimension)
        if key == nil, !embeddingLength.isMultiple(of: headCount) {
            throw .contradiction("embedding_length \(embeddingLength) is not a multiple of head_count \(headCount)")
        }
        let dimension = key ?? embeddingLength / headCount
        guard Bound.headDimension.contains(dimension) else {
            throw .contradiction(
                "embedding_length \(embeddingLength) divided by head_count \(headCount) gives a head size of \(dimension), but it must be "
                    + "\(Bound.headDimension.lowerBound) to \(Bound.headDimension.upperBound)")
        }
        guard Bound.width.contains(headCount * dimension) else {
            throw .contradiction(
                "\(headCount) heads of \(dimension) elements exceed the limit of \(Bound.width.upperBound) elements")
        }
        guard value ?? dimension == dimension else {
            throw .unsupportedFeature(
                key: parameters.key("attention.value_length"), value: "\(value ?? 0)",
                reason: "keys have \(dimension) elements, and values of a different size are not implemented")
        }
        return dimension
    }

    private func validate(_ parameters: HyperParameters, _ epsilonKey: String) throws(ModelError) {
        for (block, heads) in keyValueHeadCounts.enumerated() where heads > 0 && !headCount.isMultiple(of: heads) {
            throw .contradiction(
                "block \(block) has \(heads) key/value heads, which must divide the \(headCount) query heads")
        }
        guard rotaryDimensions.isMultiple(of: 2) else {
            throw .contradiction("\(parameters.key("rope.dimension_count")) is \(rotaryDimensions), but must be even")
        }
        guard normEpsilon >= 0, normEpsilon < 1 else {
            throw .contradiction("\(parameters.key(epsilonKey)) is \(normEpsilon), but must be from 0 to 1")
        }
        guard rotaryBase > 1 else {
            throw .contradiction("\(parameters.key("rope.freq_base")) is \(rotaryBase), but must be greater than 1")
        }
    }
}

extension RotaryScaling {
    /// Reads `{arch}.rope.scaling.*`. A factor without a type means linear scaling, as in files older than the type.
    init(_ parameters: HyperParameters) throws(ModelError) {
        let factor =
            try parameters.floatIfPresent("rope.scaling.factor", orElse: "rope.scale_linear") ?? 0
        let type = try parameters.stringIfPresent("rope.scaling.type") ?? "linear"
        guard factor >= 0 else {
            throw .contradiction("\(parameters.key("rope.scaling.factor")) is \(factor), but must be positive")
        }
        switch type {
        case "none":
            self = .none
        case "linear":
            self = factor == 0 || factor == 1 ? .none : .linear(factor: factor)
        case "yarn":
            self = .yarn(
                factor: factor == 0 ? 1 : factor,
                originalContextLength: try parameters.originalContextLength(),
                betaFast: try parameters.floatIfPresent("rope.scaling.yarn_beta_fast") ?? 32,
                betaSlow: try parameters.floatIfPresent("rope.scaling.yarn_beta_slow") ?? 1,
                extrapolation: try parameters.floatIfPresent("rope.scaling.yarn_ext_factor") ?? 1,
                logMultiplier: try parameters.factorIfPresent("rope.scaling.yarn_log_multiplier") ?? 0,
                temperature: try parameters.factorIfPresent("rope.scaling.yarn_attn_factor"))
        default:
            throw .unsupportedFeature(
                key: parameters.key("rope.scaling.type"), value: type,
                reason: "supported values are none, linear and yarn")
        }
    }
}
