import HTTPTypes
import LeapEngine
import LeapGeneration
import LeapJSON
import Logging

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
        logSkippedTools(request, exchange)
        let order = try await core.prepare(request.order, for: exchange)
        var style = request.style
        style.model = request.order.model ?? order.card.id
        guard style.streams else {
            let answers = try await order.answers()
            return .json(style.reply(answers.first ?? FinishedAnswer()))
        }
        return order.stream(
            type: "text/event-stream", idle: ServerSentEvents.ping,
            MessagesStream(style, promptTokens: order.prepared.promptTokens, requestID: exchange.id))
    }

    private func count(_ exchange: Exchange) async throws -> Reply {
        let request = try MessagesRequest(try exchange.fields(), isCounted: true)
        logSkippedTools(request, exchange)
        return .json(["input_tokens": .integer(try await core.promptTokens(of: request.order))])
    }

    private func logSkippedTools(_ request: MessagesRequest, _ exchange: Exchange) {
        guard !request.skippedTools.isEmpty else { return }
        core.logger.debug(
            "Anthropic's server-side tools are ignored",
            metadata: ["id": "\(exchange.id)", "types": "\(request.skippedTools.joined(separator: ", "))"])
    }
}
