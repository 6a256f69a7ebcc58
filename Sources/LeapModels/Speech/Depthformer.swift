import Foundation
import LeapBlocks
public import LeapGGUF
import LeapOps

/// A small transformer that runs along the codebooks of an audio frame: from a language model's last hidden row it generates
/// eight codes autoregressively.
///
///     u₀ … u₇ = W · h + b;   for each book: x = layers(u_b + e);   code ← draw(Wout_b · norm_b(x));   e = embedding_b(code)
///
/// Every frame begins anew. Source: LFM2 technical report (Liquid AI 2025), "audio-language models"; Défossez et al. 2024,
/// "Moshi", section 3.4.1 (RQ-Transformer); tensor names as GGUF files have them.
public final class Depthformer: Sendable {
    /// The sizes.
    public let configuration: VocoderConfiguration
    /// The file that contains the weights.
    public var file: GGUFFile { weights.file }

    /// Owns the memory that tensors point into.
    let weights: Weights
    let slices: Projection
    let layers: [Layer]
    let books: [Book]
    /// The embedding of a code for the language model.
    let frameEmbedding: CodeTable

    struct Layer: Sendable {
        let mixerNorm: Norm
        let query: Projection
        let key: Projection
        let value: Projection
        let queryNorm: Norm
        let keyNorm: Norm
        let output: Projection
        let networkNorm: Norm
        let network: FeedForward
    }

    struct Book: Sendable {
        /// `[codes, width]`
        let embedding: QuantizedMatrix
        let norm: Norm
        let output: Projection
    }

    /// Checks all hyper-parameters and binds all tensors.
    ///
    /// - Throws: ``ModelError`` for everything that would otherwise fail at the first frame.
    public init(_ file: GGUFFile) throws(ModelError) {
        guard VocoderConfiguration.isVocoder(file) else { throw .notAVocoder }
        weights = Weights(file: file, architecture: "vocoder")
        configuration = try VocoderConfiguration(weights)
        let (weights, configuration) = (weights, configuration)
        let (width, books) = (configuration.width, VocoderConfiguration.books)
        slices = try weights.biasedProjection("depth_linear", rows: books * width, columns: configuration.modelWidth)
        var layers: [Layer] = []
        for index in 0..<configuration.blockCount { layers.append(try Layer(index, configuration, weights)) }
        self.layers = layers
        var bound: [Book] = []
        for index in 0..<books { bound.append(try Book(index, width, weights)) }
        self.books = bound
        frameEmbedding = try CodeTable(
            "audio_embedding.embedding.weight", weights, codesPerBook: VocoderConfiguration.codes,
            width: configuration.modelWidth)
        do { try file.checkNothingLost() } catch { throw .file(error) }
    }

    /// The row with which a language model reads a frame that it generated: the sum of its codes' embeddings.
    public func row(of frame: CodeFrame) -> [Float] {
        var sum = CodeSum(width: configuration.modelWidth)
        sum.set(frame, of: frameEmbedding, Compute(threads: 1))
        return sum.row
    }
}

// MARK: - Binding

extension Depthformer.Layer {
    fileprivate init(
        _ index: Int, _ configuration: VocoderConfiguration, _ weights: Weights
    ) throws(ModelError) {
        let name = VocoderNames.layer(index)
        let (width, hidden) = (configuration.width, configuration.feedForwardLength)
        let keys = configuration.keyValueHeads * configuration.headDimension
        func norm(_ name: String, _ count: Int) throws(ModelError) -> Norm {
            Norm(gains: try weights.vector(name, count: count), epsilon: Depthformer.normEpsilon)
        }
        func projection(_ tail: String, _ rows: Int, _ columns: Int) throws(ModelError) -> Projection {
            Projection(try weights.matrix("\(name).\(tail).weight", rows: rows, columns: columns))
        }
        mixerNorm = try norm("\(name).operator_norm.weight", width)
        let joint = try projection("operator.qkv_proj", width + 2 * keys, width)
        (query, key, value) = (
            joint.rows(0..<width), joint.rows(width..<width + keys), joint.rows(width + keys..<width + 2 * keys)
        )
        queryNorm = try norm(VocoderNames.headNorm("q", of: index), configuration.headDimension)
        keyNorm = try norm(VocoderNames.headNorm("k", of: index), configuration.headDimension)
        output = try projection("operator.out_proj", width, width)
        networkNorm = try norm("\(name).ffn_norm.weight", width)
        network = FeedForward(
            gate: try projection("feed_forward.w1", hidden, width),
            up: try projection("feed_forward.w3", hidden, width),
            down: try projection("feed_forward.w2", width, hidden), unit: .swiGLU)
    }
}

extension Depthformer.Book {
    fileprivate init(_ index: Int, _ width: Int, _ weights: Weights) throws(ModelError) {
        let name = "depth_embeddings.\(index)"
        embedding = try weights.matrix(
            "\(name).embedding.weight", rows: VocoderConfiguration.codes, columns: width)
        norm = Norm(
            gains: try weights.vector("\(name).embedding_norm.weight", count: width), epsilon: Depthformer.normEpsilon)
        // Files with tied matrices contain only one of the two.
        let output = "\(name).to_logits.weight"
        self.output = Projection(
            weights.has(output)
                ? try weights.matrix(output, rows: VocoderConfiguration.codes, columns: width) : embedding)
    }
}

extension Depthformer {
    /// The ε of all norms; no metadata key has it.
    static let normEpsilon: Float = 1e-5
    /// The base of the rotary angles; no metadata key has it.
    static let rotaryBase = 1e6
}
