import LeapOps

/// A model architecture: how hyper-parameters and tensors become a forward pass.
///
/// One file in `Architectures/` and one line in ``Architectures/all``.
protocol Architecture: Sendable {
    /// The value of `general.architecture`.
    static var name: String { get }

    /// The name of the token embedding, whose rows are the vocabulary.
    static var embeddingName: String { get }

    /// Binds the tensors.
    ///
    /// - Throws: ``ModelError`` for everything that would fail later: a pass has no error path.
    init(
        _ configuration: ModelConfiguration, _ parameters: HyperParameters, _ weights: Weights
    ) throws(ModelError)

    /// Key/value heads of each attention layer, in order.
    var attentionLayers: [Int] { get }

    /// Channels and taps of each short-convolution layer, in order.
    var convolutionLayers: [(channels: Int, taps: Int)] { get }

    /// Counts what ``forward(_:_:_:)`` takes of scratch memory.
    func scratchSize(of batch: Batch, _ compute: Compute) -> ScratchSize

    /// Computes all layers and the logits of the rows that want them; `nil` where the observer ends the pass.
    func forward(_ batch: Batch, _ compute: Compute, _ observer: LayerObserver) -> Logits?
}

extension LanguageModel {
    /// The values of `general.architecture` that can be run.
    public static var supportedArchitectures: [String] { Architectures.all.map { $0.name } }
}

/// The architectures that a file may name.
enum Architectures {
    static let all: [any Architecture.Type] = [LFM2.self, Llama.self]

    static func named(_ name: String) throws(ModelError) -> any Architecture.Type {
        guard let architecture = all.first(where: { $0.name == name }) else {
            throw .unsupportedArchitecture(name: name, supported: LanguageModel.supportedArchitectures)
        }
        return architecture
    }
}
