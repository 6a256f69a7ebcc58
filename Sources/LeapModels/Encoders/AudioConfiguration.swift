import LeapGGUF
import LeapOps

/// The hyper-parameters of an audio encoder with its projector; validated and immutable.
public struct AudioConfiguration: Sendable {
    /// `clip.audio.embedding_length`: width of the residual stream.
    public let embeddingLength: Int
    /// Hidden width of the feed-forward networks. The key of that name does not hold it: files store the width there.
    public let feedForwardLength: Int
    /// `clip.audio.block_count`: layers.
    public let blockCount: Int
    /// `clip.audio.attention.head_count`
    public let headCount: Int
    /// `clip.audio.attention.layer_norm_epsilon`
    public let normEpsilon: Float
    /// `clip.audio.num_mel_bins`: bands of the spectrogram.
    public let bands: Int
    /// Channels of the convolutions that shorten the spectrogram.
    public let channels: Int
    /// Taps of the convolutions within layers.
    public let taps: Int
    /// Width of the projector's hidden layer.
    public let projectorLength: Int
    /// Width of the rows that the projector makes: that of the language model's embeddings.
    public let outputLength: Int

    /// Halvings of time and frequency before the first layer.
    static let halvings = 3

    /// Frequencies that the halvings leave.
    var frequencies: Int { Self.halved(bands) }

    /// The number of rows for this many frames.
    public func rows(ofFrames count: Int) -> Int { Self.halved(count) }

    private static func halved(_ count: Int) -> Int {
        (0..<halvings).reduce(count) { count, _ in ImageRows.halved(count) }
    }

    /// Bounds that no sane encoder exceeds, so that products of hyper-parameters cannot overflow.
    private enum Bound {
        static let width = 1...1 << 16
        static let feedForward = 1...1 << 18
        static let blocks = 1...1000
        static let heads = 1...4096
        static let bands = 1...1024
        static let channels = 1...1 << 14
        static let taps = 1...255
    }

    /// The only supported audio projector: that of LFM2-Audio and LFM2.5-Audio.
    static let projector = "lfm2a"

    /// Whether a file declares an audio encoder.
    static func isDeclared(_ parameters: HyperParameters) throws(ModelError) -> Bool {
        try parameters.boolIfPresent("has_audio_encoder") == true
    }

    /// Reads and checks the keys, and derives the values without a key from the tensors.
    init(_ weights: Weights) throws(ModelError) {
        let parameters = HyperParameters(metadata: weights.file.metadata, architecture: VisionEncoder.architecture)
        try Self.refuseOthers(parameters)
        embeddingLength = try parameters.integer("audio.embedding_length", in: Bound.width)
        blockCount = try parameters.integer("audio.block_count", in: Bound.blocks)
        headCount = try parameters.integer("audio.attention.head_count", in: Bound.heads)
        normEpsilon = try parameters.float("audio.attention.layer_norm_epsilon")
        bands = try parameters.integer("audio.num_mel_bins", in: Bound.bands)
        feedForwardLength = try weights.length(of: "a.blk.0.ffn_up.bias", in: Bound.feedForward)
        channels = try Self.channels(weights)
        taps = try Self.taps(weights)
        projectorLength = try weights.length(of: "mm.a.mlp.1.bias", in: Bound.width)
        outputLength = try weights.length(of: "mm.a.mlp.3.bias", in: Bound.width)
        try validate()
    }

    private static func refuseOthers(_ parameters: HyperParameters) throws(ModelError) {
        guard try isDeclared(parameters) else {
            throw .contradiction("\(parameters.key("has_audio_encoder")) is not true, so the file has no audio encoder")
        }
        var type = try parameters.stringIfPresent("audio.projector_type")
        if type == nil { type = try parameters.stringIfPresent("projector_type") }
        guard type == projector else {
            throw .unsupportedFeature(
                key: parameters.key("audio.projector_type"), value: type ?? "nothing",
                reason: "the only supported value is \(projector)")
        }
    }

    /// The convolution's kernel is `[3, 3, 1, channels]`.
    private static func channels(_ weights: Weights) throws(ModelError) -> Int {
        let name = "a.conv1d.0.weight"
        let dimensions = try weights.dimensions(of: name)
        guard dimensions.count == 4, Array(dimensions[..<3]) == [3, 3, 1], Bound.channels.contains(dimensions[3]) else {
            throw .contradiction("\(name) has shape \(dimensions), but must be [3, 3, 1, channels]")
        }
        return dimensions[3]
    }

    /// The convolution's kernel is `[taps, width]`.
    private static func taps(_ weights: Weights) throws(ModelError) -> Int {
        let name = "a.blk.0.conv_dw.weight"
        let dimensions = try weights.dimensions(of: name)
        guard let taps = dimensions.first, Bound.taps.contains(taps), !taps.isMultiple(of: 2) else {
            throw .contradiction(
                "\(name) has shape \(dimensions), but its first dimension, the taps, must be odd and at most "
                    + "\(Bound.taps.upperBound)")
        }
        return taps
    }

    private func validate() throws(ModelError) {
        guard embeddingLength.isMultiple(of: headCount), embeddingLength.isMultiple(of: 2) else {
            throw .contradiction(
                "the embedding length \(embeddingLength) must be even and a multiple of the \(headCount) heads")
        }
        guard normEpsilon >= 0, normEpsilon < 1 else {
            throw .contradiction("layer_norm_epsilon is \(normEpsilon), but must be from 0 to 1")
        }
    }
}
