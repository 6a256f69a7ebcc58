/// What an architecture's file says: its name, and how the tensors and hyper-parameters of a model become a ``Graph``.
///
/// One file in `Architectures/` and one line in ``Architectures/all``.
protocol Architecture: Sendable {
    /// The value of `general.architecture`.
    static var name: String { get }

    /// The keys of ``MeaningfulKey`` that the architecture knows; a file with others is refused.
    static var knownKeys: Set<String> { get }

    /// Binds the tensors of a model.
    ///
    /// - Throws: ``ModelError`` for everything that would fail later: a pass has no error path.
    static func graph(_ model: Binder) throws(ModelError) -> Graph
}

extension Architecture {
    static var knownKeys: Set<String> { [] }
}

extension LanguageModel {
    /// The values of `general.architecture` that can be run.
    public static var supportedArchitectures: [String] { Architectures.all.map { $0.name } }
}

/// The architectures that a file may name.
enum Architectures {
    static let all: [any Architecture.Type] = [
        Gemma3.self, Granite.self, LFM2.self, Llama.self, Mistral3.self, OLMo2.self, Phi3.self, Qwen2.self, Qwen3.self,
        SmolLM3.self,
    ]

    static func named(_ name: String) throws(ModelError) -> any Architecture.Type {
        guard let architecture = all.first(where: { $0.name == name }) else {
            throw .unsupportedArchitecture(name: name, supported: LanguageModel.supportedArchitectures)
        }
        return architecture
    }
}
