import LeapEngine

/// The right to use a loaded model, which stays loaded as long as there is a lease.
final class ModelLease: Sendable {
    /// The model.
    let model: ShelvedModel
    /// What it is called, and what is known of it.
    let card: ModelCard
    private let release: @Sendable () -> Void

    init(_ model: ShelvedModel, _ card: ModelCard, release: @escaping @Sendable () -> Void) {
        self.model = model
        self.card = card
        self.release = release
    }

    deinit { release() }

    /// The model as one that writes.
    ///
    /// - Throws: That it is none.
    var engine: Engine {
        get throws(APIError) {
            guard case .writer(let engine) = model else {
                throw .otherModel(
                    "names '\(card.id)', which makes vectors of texts or ranks documents, and writes none: "
                        + "ask /v1/embeddings or /v1/rerank, or name a model that writes")
            }
            return engine
        }
    }

    /// The model as one that makes vectors.
    ///
    /// - Throws: That it is none.
    var embedder: EmbeddingEngine {
        get throws(APIError) {
            guard case .embedder(let engine) = model else {
                throw .otherModel(
                    "names '\(card.id)', which writes texts, and makes no vectors: name a model that was made for embeddings"
                )
            }
            return engine
        }
    }
}
