import HTTPTypes
import LeapJSON
import OrderedCollections

/// llama-server's own completions.
struct LlamaCompletionRoutes: Sendable {
    let core: ServerCore

    var routes: [Route] {
        [
            Route(
                method: .post, path: "/completion", about: "Continues a text",
                fields: LlamaCompletionRequest.completionFields
            ) { exchange, _ in try await answer(try .completion(try exchange.fields()), exchange) },
            Route(
                method: .post, path: "/infill", about: "Fills the gap between two texts",
                fields: LlamaCompletionRequest.infillFields
            ) { exchange, _ in try await answer(try .infill(try exchange.fields()), exchange) },
        ]
    }

    private func answer(_ request: LlamaCompletionRequest, _ exchange: Exchange) async throws -> Reply {
        let order = try await core.prepare(request.order, for: exchange)
        let reply = LlamaCompletionReply(
            model: request.order.model ?? order.card.id,
            contextLength: core.shelf.loaded(order.card.id)?.model.contextLength)
        if request.streams {
            return order.stream(
                type: "text/event-stream", idle: ServerSentEvents.ping, LlamaCompletionStream(reply: reply))
        }
        let answers = try await order.answers()
        return .json(reply.whole(answers.first ?? FinishedAnswer()))
    }
}

/// Writes what llama-server's own completions reply.
struct LlamaCompletionReply: Sendable {
    let model: String
    let contextLength: Int?

    /// The answer, or what stands at the end of a stream, which has no content.
    func whole(_ answer: FinishedAnswer, content: String? = nil) -> JSONValue {
        let cost = answer.cost
        var document: OrderedDictionary<String, JSONValue> = [
            "index": 0, "content": .string(content ?? answer.text), "stop": true, "model": .string(model),
            "tokens_predicted": .integer(cost.completionTokens), "tokens_evaluated": .integer(cost.promptTokens),
            "tokens_cached": .integer(cost.promptTokens + cost.completionTokens), "truncated": false,
            "has_new_line": .bool(answer.text.contains("\n")), "stop_type": .string(Self.kind(answer.end)),
        ]
        if case .stopText(let text) = answer.end {
            document["stopping_word"] = .string(text)
        } else {
            document["stopping_word"] = ""
        }
        document["generation_settings"] = ["n_ctx": contextLength.map { .integer($0) } ?? .null]
        document["timings"] = cost.timings
        return .object(document)
    }

    /// A piece of the answer.
    func piece(_ text: String) -> [UInt8] {
        ServerSentEvents.event(["index": 0, "content": .string(text), "stop": false])
    }

    private static func kind(_ end: AnswerEnd) -> String {
        switch end {
        case .complete, .calls: "eos"
        case .stopText: "word"
        case .length: "limit"
        }
    }
}

/// Writes such a reply while it is made.
struct LlamaCompletionStream: AnswerWriter {
    let reply: LlamaCompletionReply

    func begin() -> [UInt8] { [] }

    mutating func write(_ item: AnswerFeed.Item) -> [UInt8] {
        switch item.piece {
        case .text(let text): reply.piece(text)
        case .finished(let answer): ServerSentEvents.event(reply.whole(answer, content: ""))
        case .failed(let error): ServerSentEvents.event(error.openAIDocument)
        case .ping: ServerSentEvents.ping
        case .promptRead, .reasoning, .token, .callBegins, .callArguments, .sound: []
        }
    }

    func end() -> [UInt8] { [] }
}
