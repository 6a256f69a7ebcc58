/// An architecture: its name, and how the tensors and hyper-parameters of a model become a ``Graph``.
///
/// One file in `Architectures/` and one line in ``Architectures/writers`` or ``Architectures/encoders``.
protocol Architecture: Sendable {
    /// The value of `general.architecture`.
    static var name: String { get }

    /// The keys of ``MeaningfulKey`` that the architecture supports; a file with others is rejected.
    static var knownKeys: Set<String> { get }

    /// The additional keys of ``MeaningfulKey`` that the architecture supports in embedding models.
    static var encoderKeys: Set<String> { get }

    /// How the residual stream is normalised.
    static var norm: StreamNorm.Kind { get }

    /// Binds the tensors of a model.
    ///
    /// - Throws: ``ModelError`` for everything that would fail later: a pass has no error path.
    static func graph(_ model: Binder) throws(ModelError) -> Graph
}

extension Architecture {
    static var knownKeys: Set<String> { [] }
    static var encoderKeys: Set<String> { [] }
    static var norm: StreamNorm.Kind { .rootMeanSquare }

    /// The keys of ``MeaningfulKey`` that files may have for a purpose. The keys about pooling are the same for all
    /// architectures.
    static func knownKeys(for purpose: ModelPurpose) -> Set<String> {
        switch purpose {
        case .writing: knownKeys
        case .embedding: knownKeys.union(encoderKeys).union([EmbeddingHead.poolingKey])
        }
    }
}

extension LanguageModel {
    /// The values of `general.architecture` that can be run.
    public static var supportedArchitectures: [String] { Architectures.writers.map { $0.name } }
}

/// What a file is loaded for.
enum ModelPurpose: Sendable {
    /// Logits.
    case writing
    /// Vectors of texts.
    case embedding
}

/// The architectures that a file may name.
enum Architectures {
    /// Those whose models write.
    static let writers: [any Architecture.Type] = [
        Gemma3.self, GPTOSS.self, Granite.self, GraniteHybrid.self, GraniteMoE.self, LFM2.self, LFM2MoE.self,
        Llama.self, Mistral3.self, OLMo2.self,
        Phi3.self, Qwen2.self, Qwen3.self, Qwen35.self, Qwen35MoE.self, Qwen3MoE.self,
        SmolLM3.self,
    ]

    /// Those whose models only read.
    static let encoders: [any Architecture.Type] = [BERT.self, GemmaEmbedding.self, ModernBERT.self, NomicBERT.self]

    static func named(_ name: String, for purpose: ModelPurpose) throws(ModelError) -> any Architecture.Type {
        let allowed = purpose == .writing ? writers : writers + encoders
        guard let architecture = allowed.first(where: { $0.name == name }) else {
            if encoders.contains(where: { $0.name == name }) { throw .writesNothing(architecture: name) }
            throw .unsupportedArchitecture(name: name, supported: allowed.map { $0.name })
        }
        return architecture
    }
}
