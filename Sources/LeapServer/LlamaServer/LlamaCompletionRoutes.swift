import HTTPTypes
import LeapGeneration
import LeapJSON

/// llama-server's own completions.
struct LlamaCompletionRoutes: Sendable {
    let core: ServerCore

    var routes: [Route] {
        [
            Route(
                method: .post, path: "/completion", about: "Creates a completion (llama-server API)",
                fields: LlamaCompletionRequest.completionFields
            ) { exchange, _ in try await answer(try .completion(try exchange.fields()), exchange) },
            Route(
                method: .post, path: "/infill", about: "Fills in the text between a prefix and a suffix",
                fields: LlamaCompletionRequest.infillFields
            ) { exchange, _ in try await answer(try .infill(try exchange.fields()), exchange) },
        ]
    }

    private func answer(_ request: LlamaCompletionRequest, _ exchange: Exchange) async throws -> Reply {
        let job = try await core.prepare(request.job, for: exchange)
        let reply = LlamaCompletionReply(
            request, model: job.modelName, seed: job.prepared.requests.first?.seed,
            contextLength: core.pool.loaded(job.card.id)?.model.contextLength)
        return try await job.reply(streams: request.streams, LlamaCompletionStream(reply)) {
            reply.whole($0.first ?? FinishedAnswer())
        }
    }
}
