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
        let order = try await core.prepare(request.order, for: exchange)
        let reply = LlamaCompletionReply(
            request, model: request.order.model ?? order.card.id, seed: order.prepared.requests.first?.seed,
            contextLength: core.shelf.loaded(order.card.id)?.model.contextLength)
        if request.streams {
            return order.stream(
                type: "text/event-stream", idle: ServerSentEvents.ping, LlamaCompletionStream(reply))
        }
        let answers = try await order.answers()
        return .json(reply.whole(answers.first ?? FinishedAnswer()))
    }
}
