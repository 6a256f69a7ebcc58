import LeapEngine
import LeapModels
import LeapTokenizer

/// A request for embeddings in dialect-independent form.
struct EmbeddingJob: Sendable {
    /// One of the model's names; `nil` if there is only one model.
    var model: String?
    /// What to embed.
    var inputs: [CompletionRequest.Prompt]
    /// How.
    var request = EmbeddingRequest()
}

/// Embeddings, with their token count and loading time.
struct FinishedEmbeddings: Sendable {
    /// The model that created them.
    let card: ModelCard
    /// One for each input, in their order.
    let vectors: [[Float]]
    /// Tokens that were read.
    let tokenCount: Int
    /// How long it took to load the model.
    let loading: Duration
}

extension ServerCore {
    /// Creates embeddings. Cancelling the task ends the work.
    ///
    /// A request takes one place, and its passes take turns with those of others.
    func embed(_ job: EmbeddingJob, for exchange: Exchange) async throws -> FinishedEmbeddings {
        try await withEmbedder(job.model, for: exchange) { engine, card, loading in
            switch try engine.embedder.pooling(job.request.pooling) {
            case .none: throw EmbeddingError.vectorForEveryToken
            case .rank: throw EmbeddingError.scoresOnly
            case .mean, .cls, .last: break
            }
            var tokens: [[Token]] = []
            for (index, input) in job.inputs.enumerated() {
                try Task.checkCancellation()
                switch input {
                case .text(let text): tokens.append(try engine.tokens(of: text, number: index + 1, job.request))
                case .tokens(let given):
                    tokens.append(job.request.truncates ? Array(given.prefix(engine.tokenLimit)) : given)
                }
            }
            let embeddings = try await engine.embed(tokens: tokens, job.request)
            let count = embeddings.reduce(0) { $0 + $1.tokenCount }
            record(texts: embeddings.count, tokens: count, exchange)
            return FinishedEmbeddings(
                card: card, vectors: embeddings.map(\.vector), tokenCount: count, loading: loading)
        }
    }

    /// Ranks documents. Cancelling the task ends the work.
    func rank(_ job: RankingJob, for exchange: Exchange) async throws -> (card: ModelCard, ranked: [RankedDocument]) {
        try await withEmbedder(job.model, for: exchange) { engine, card, _ in
            do {
                let ranked = try await engine.rank(
                    job.documents, for: job.query, documentLimit: job.documentTokens)
                record(texts: ranked.count, tokens: ranked.tokenCount, exchange)
                return (card, ranked)
            } catch let error as EmbeddingError {
                throw job.named(error)
            }
        }
    }

    private func withEmbedder<Result>(
        _ name: String?, for exchange: Exchange,
        _ work: (EmbeddingEngine, ModelCard, Duration) async throws -> Result
    ) async throws -> Result {
        let begin = ContinuousClock.now
        let admission = try admit(exchange, answers: 1)
        defer { withExtendedLifetime(admission) {} }
        let lease = try await lease(name)
        defer { withExtendedLifetime(lease) {} }
        exchange.record.setModel(lease.card.id)
        let engine = try lease.embedder
        exchange.endsWithClient()
        do { return try await work(engine, lease.card, .now - begin) } catch is CancellationError {
            metrics.add(to: .cancellations)
            throw CancellationError()
        }
    }

    private func record(texts: Int, tokens: Int, _ exchange: Exchange) {
        metrics.add(Double(texts), to: .embeddedTexts)
        metrics.add(Double(tokens), to: .embeddedTokens)
        exchange.record.setEmbeddedTokens(tokens)
    }
}
