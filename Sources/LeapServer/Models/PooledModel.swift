import LeapEngine
import LeapGGUF
import LeapModels
import LeapTokenizer

/// A loaded model by its purpose.
enum PooledModel: Sendable {
    /// Generates text.
    case writer(Engine)
    /// Creates embeddings, or ranks documents.
    case embedder(EmbeddingEngine)

    /// The tokenizer.
    ///
    /// - Throws: `EngineError.unloaded`.
    var tokenizer: Tokenizer {
        get throws {
            switch self {
            case .writer(let engine): try engine.model().tokenizer
            case .embedder(let engine): engine.tokenizer
            }
        }
    }

    /// The most tokens that it reads; `nil` once unloaded.
    var contextLength: Int? {
        switch self {
        case .writer(let engine): try? engine.model().contextLength
        case .embedder(let engine): engine.tokenLimit
        }
    }

    /// The most tokens of the texts that it was trained on; `nil` once unloaded.
    var trainedContextLength: Int? {
        switch self {
        case .writer(let engine): try? engine.model().weights.configuration.contextLength
        case .embedder(let engine): engine.embedder.configuration.contextLength
        }
    }

    /// Whether its files are what they were when it was loaded, so that it can still be used.
    var isIntact: Bool {
        switch self {
        case .writer(let engine): (try? engine.model().files.forEach { try $0.checkUnchanged() }) != nil
        case .embedder(let engine): (try? engine.embedder.file.checkUnchanged()) != nil
        }
    }

    /// The model as one that writes; `nil` for another, and once unloaded.
    var written: LoadedModel? {
        guard case .writer(let engine) = self else { return nil }
        return try? engine.model()
    }

    /// Releases its memory. Ends answers at once, and embeddings once they are complete.
    func unload() async {
        if case .writer(let engine) = self { await engine.unload() }
    }
}
