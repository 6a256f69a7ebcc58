import HTTPTypes
import LeapEngine
import LeapGeneration
import LeapJSON

/// Anthropic's API.
struct AnthropicRoutes: Sendable {
    let core: ServerCore

    var routes: [Route] {
        ["/v1", ""].flatMap { prefix in
            [
                Route(
                    method: .post, path: prefix + "/messages", dialect: .anthropic,
                    about: "Creates a message (Anthropic Messages API)", fields: MessagesRequest.fields
                ) { exchange, _ in try await answer(exchange) },
                Route(
                    method: .post, path: prefix + "/messages/count_tokens", dialect: .anthropic,
                    about: "Counts the tokens of a conversation", fields: MessagesRequest.promptFields
                ) { exchange, _ in try await count(exchange) },
            ]
        }
    }

    private func answer(_ exchange: Exchange) async throws -> Reply {
        let request = try MessagesRequest(try exchange.fields())
        core.logSkippedTools(request.skippedTools, of: "Anthropic", exchange)
        let job = try await core.prepare(request.job, for: exchange)
        var style = request.style
        style.model = job.modelName
        let stream = MessagesStream(style, promptTokens: job.prepared.promptTokens, requestID: exchange.id)
        return try await job.reply(streams: style.streams, stream) { style.reply($0.first ?? FinishedAnswer()) }
    }

    private func count(_ exchange: Exchange) async throws -> Reply {
        let request = try MessagesRequest(try exchange.fields(), isCounted: true)
        core.logSkippedTools(request.skippedTools, of: "Anthropic", exchange)
        return .json(["input_tokens": .integer(try await core.promptTokens(of: request.job))])
    }
}
