import LeapEngine

/// The right to use a loaded model, which stays loaded as long as there is a lease.
final class ModelLease: Sendable {
    /// The model.
    let model: PooledModel
    /// Its description.
    let card: ModelCard
    private let release: @Sendable () -> Void

    init(_ model: PooledModel, _ card: ModelCard, release: @escaping @Sendable () -> Void) {
        self.model = model
        self.card = card
        self.release = release
    }

    deinit { release() }

    /// The model as a text generator.
    ///
    /// - Throws: An error if it is of another kind.
    var engine: Engine {
        get throws(APIError) {
            guard case .writer(let engine) = model else {
                throw .otherModel(
                    "names '\(card.id)', an embedding or reranking model, which cannot generate text: "
                        + "use /v1/embeddings or /v1/rerank, or choose a text-generation model")
            }
            return engine
        }
    }

    /// The model as an embedder.
    ///
    /// - Throws: An error if it is of another kind.
    var embedder: EmbeddingEngine {
        get throws(APIError) {
            guard case .embedder(let engine) = model else {
                throw .otherModel(
                    "names '\(card.id)', a text-generation model, which cannot create embeddings: choose an "
                        + "embedding model"
                )
            }
            return engine
        }
    }
}
