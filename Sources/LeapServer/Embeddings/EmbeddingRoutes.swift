import HTTPTypes
import LeapEngine
import LeapJSON

/// The routes for embeddings and reranking in all dialects.
struct EmbeddingRoutes: Sendable {
    let core: ServerCore

    var routes: [Route] {
        let vectors = ["/v1/embeddings", "/embeddings"].map { path in
            Route(method: .post, path: path, about: "Creates embeddings", fields: EmbeddingsRequest.fields) {
                exchange, _ in
                let request = try EmbeddingsRequest(try exchange.fields())
                return .json(request.reply(try await core.embed(request.job, for: exchange)))
            }
        }
        let ranks = ["/v2/rerank", "/v1/rerank", "/rerank", "/v1/reranking", "/reranking"].map { path in
            Route(
                method: .post, path: path, about: "Ranks documents by relevance to a query",
                fields: RankingJob.fields
            ) { exchange, _ in
                let job = try RankingJob(try exchange.fields())
                let (card, ranked) = try await core.rank(job, for: exchange)
                return .json(job.reply(ranked, card))
            }
        }
        return vectors + ranks + ollama
    }

    private var ollama: [Route] {
        [
            Route(
                method: .post, path: "/api/embed", dialect: .ollama, about: "Creates embeddings (ollama API)",
                fields: OllamaEmbedRequest.fields
            ) { exchange, _ in try await embed(try OllamaEmbedRequest(texts: try exchange.fields()), exchange) },
            Route(
                method: .post, path: "/api/embeddings", dialect: .ollama,
                about: "Creates the embedding of one text (ollama API, deprecated)",
                fields: OllamaEmbedRequest.olderFields
            ) { exchange, _ in try await embed(try OllamaEmbedRequest(text: try exchange.fields()), exchange) },
        ]
    }

    private func embed(_ request: OllamaEmbedRequest, _ exchange: Exchange) async throws -> Reply {
        let begin = ContinuousClock.now
        guard !request.job.inputs.isEmpty else {
            let lease = try await core.lease(request.job.model)
            _ = try lease.embedder
            keep(lease.card, request)
            return .json(request.reply(nil, .now - begin))
        }
        let finished = try await core.embed(request.job, for: exchange)
        keep(finished.card, request)
        return .json(request.reply(finished, .now - begin))
    }

    private func keep(_ card: ModelCard, _ request: OllamaEmbedRequest) {
        if let keepAlive = request.keepAlive { core.pool.keep(card, for: keepAlive) }
    }
}
