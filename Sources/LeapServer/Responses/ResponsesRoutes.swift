import HTTPTypes
import LeapEngine
import LeapJSON

/// OpenAI's responses.
struct ResponsesRoutes: Sendable {
    let core: ServerCore

    var routes: [Route] {
        ["/v1", ""].flatMap { prefix in
            [
                Route(
                    method: .post, path: prefix + "/responses", about: "Creates a response (OpenAI Responses API)",
                    fields: ResponsesRequest.fields
                ) { exchange, _ in try await answer(exchange) },
                Route(
                    method: .post, path: prefix + "/responses/input_tokens",
                    about: "Counts the tokens of a conversation", fields: ResponsesRequest.fields
                ) { exchange, _ in try await count(exchange) },
            ]
                + [HTTPRequest.Method.get, .post, .delete].map { method in
                    Route(
                        method: method, path: prefix + "/responses/*",
                        about: "Always reports that the response does not exist, since responses are not stored"
                    ) { _, id in throw absence(of: id) }
                }
        }
    }

    /// - Parameter path: The response's identifier, after which may follow what is asked of it, such as `cancel`.
    private func absence(of path: String) -> APIError {
        guard path != "compact" else { return APIError(.notFound, "compacting conversations is not supported") }
        let id = path.prefix { $0 != "/" }
        return APIError(
            .notFound, "response '\(id)' not found: this server does not store responses", param: "response_id")
    }

    private func count(_ exchange: Exchange) async throws -> Reply {
        let request = try ResponsesRequest(try exchange.fields())
        core.logSkippedTools(request.skippedTools, of: "OpenAI", exchange)
        let count = try await core.promptTokens(of: request.job)
        return .json(["object": "response.input_tokens", "input_tokens": .integer(count)])
    }

    private func answer(_ exchange: Exchange) async throws -> Reply {
        let request = try ResponsesRequest(try exchange.fields())
        core.logSkippedTools(request.skippedTools, of: "OpenAI", exchange)
        let job = try await core.prepare(request.job, for: exchange)
        var style = request.style
        style.model = job.modelName
        return try await job.reply(streams: style.streams, ResponsesStream(style)) {
            style.reply($0.first ?? FinishedAnswer())
        }
    }
}
