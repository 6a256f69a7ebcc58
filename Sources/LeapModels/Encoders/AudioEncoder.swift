import LeapBlocks
public import LeapGGUF
public import LeapOps

/// An audio encoder with its projector: turns a recording into rows that a language model reads in place of tokens.
/// Immutable, and shared by all users.
public final class AudioEncoder: Sendable {
    /// The hyper-parameters.
    public let configuration: AudioConfiguration
    /// The file that contains the weights.
    public var file: GGUFFile { weights.file }

    /// Owns the memory that tensors point into.
    private let weights: Weights
    let subsampling: Subsampling
    let conformer: Conformer
    let projector: AudioProjector

    /// Whether a file declares such an encoder.
    public static func isDeclared(in file: GGUFFile) -> Bool {
        let parameters = HyperParameters(metadata: file.metadata, architecture: VisionEncoder.architecture)
        return (try? AudioConfiguration.isDeclared(parameters)) == true
    }

    /// Checks all hyper-parameters and binds all tensors.
    ///
    /// - Throws: ``ModelError`` for everything that would otherwise fail at the first recording.
    public init(_ file: GGUFFile) throws(ModelError) {
        let name = try reading { () throws(GGUFError) in try file.metadata.string("general.architecture") }
        guard name == VisionEncoder.architecture else { throw .notAProjector(architecture: name) }
        weights = Weights(file: file, architecture: name)
        configuration = try AudioConfiguration(weights)
        subsampling = try Subsampling(configuration, weights)
        conformer = try Conformer(configuration, weights)
        projector = try AudioProjector(configuration, weights)
        do { try file.checkNothingLost() } catch { throw .file(error) }
    }

    /// The rows of a recording.
    ///
    /// - Parameters:
    ///   - frames: `[n, bands]`: its spectrogram.
    ///   - shouldContinue: Asked between the parts of every layer; `false` ends the work.
    /// - Returns: `[configuration.rows(ofFrames: n), outputLength]`.
    /// - Throws: ``ModelError/cancelled`` if `shouldContinue` returned `false`, ``ModelError/outOfMemory(purpose:bytes:)``,
    ///   ``ModelError/wrongFrames(count:bands:)``, or ``ModelError/file(_:)`` if pages of the file were lost.
    public func encode(
        _ frames: [Float], _ compute: Compute, shouldContinue: () -> Bool = { true }
    ) throws(ModelError) -> [[Float]] {
        let encoding = try begin(frames, compute)
        while true {
            if let rows = try encoding.advance(shouldContinue: shouldContinue) { return rows }
        }
    }

    /// Starts encoding, one part of a layer at a time.
    ///
    /// - Parameter compute: Whose kernels and threads are used, in turns with other passes.
    /// - Throws: ``ModelError/wrongFrames(count:bands:)``.
    public func begin(_ frames: [Float], _ compute: Compute) throws(ModelError) -> SoundEncoding {
        guard !frames.isEmpty, frames.count.isMultiple(of: configuration.bands) else {
            throw .wrongFrames(count: frames.count, bands: configuration.bands)
        }
        return SoundEncoding(self, frames, compute)
    }
}

/// Turns an encoder's rows into a language model's: `y = W₂ · GELU(W₁ · norm(x) + b₁) + b₂`.
///
/// Source: LFM2 technical report (Liquid AI 2025), "audio-language models"; tensor names as GGUF files have them.
struct AudioProjector: Sendable {
    private let norm: LayerNorm
    private let first: Projection
    private let second: Projection

    /// The epsilon of the norm, for which there is no key.
    private static let normEpsilon: Float = 1e-5

    init(_ configuration: AudioConfiguration, _ weights: Weights) throws(ModelError) {
        let (width, hidden) = (configuration.embeddingLength, configuration.projectorLength)
        norm = try weights.layerNorm("mm.a.mlp.0", count: width, epsilon: Self.normEpsilon)
        first = try weights.biasedProjection("mm.a.mlp.1", rows: hidden, columns: width)
        second = try weights.biasedProjection("mm.a.mlp.3", rows: configuration.outputLength, columns: hidden)
    }

    /// - Parameter x: `[n, embeddingLength]`; is overwritten.
    /// - Returns: `[n, outputLength]`.
    func callAsFunction(_ x: Rows, _ compute: Compute) -> Rows {
        norm(x, into: x, compute)
        var input = Activations(x, .prompt)
        let hidden = first(&input, compute)
        compute.gelu(hidden, .exact)
        var result = Activations(hidden, .prompt)
        return second(&result, compute)
    }
}
