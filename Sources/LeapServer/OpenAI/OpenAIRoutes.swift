import HTTPTypes
import LeapEngine
import LeapGeneration
import LeapJSON
import LeapModels
import LeapTokenizer

/// OpenAI's API.
struct OpenAIRoutes: Sendable {
    let core: ServerCore

    var routes: [Route] {
        ["/v1", ""].flatMap { prefix in
            [
                Route(method: .get, path: prefix + "/models", about: "Lists the models") { exchange, _ in
                    exchange.isAnthropic ? AnthropicModels.list(core.shelf.contents.map(\.card)) : models()
                },
                Route(method: .get, path: prefix + "/models/*", about: "Describes a model") { exchange, name in
                    exchange.isAnthropic ? AnthropicModels.model(name, core.shelf, exchange) : try model(name)
                },
                Route(
                    method: .post, path: prefix + "/chat/completions", about: "Creates a chat completion",
                    fields: ChatCompletionRequest.fields, answer: { exchange, _ in try await chat(exchange) }),
                Route(
                    method: .post, path: prefix + "/completions", about: "Creates completions",
                    fields: CompletionRequest.fields, answer: { exchange, _ in try await complete(exchange) }),
            ]
        }
    }

    private func models() -> Reply {
        let contents = core.shelf.contents
        return .json([
            "object": "list", "data": .array(contents.map { json($0.card, $0.condition) }),
            // The list in llama-server's format, which some agents read instead.
            "models": .array(
                contents.map { ["name": .string($0.card.id), "model": .string($0.card.id), "type": "model"] }),
        ])
    }

    private func model(_ name: String) throws(APIError) -> Reply {
        let card = try core.shelf.card(name)
        let condition = core.shelf.contents.first { $0.card.id == card.id }?.condition ?? .absent
        return .json(json(card, condition))
    }

    private func json(_ card: ModelCard, _ condition: ModelShelf.Condition) -> JSONValue {
        var json: JSONValue = [
            "id": .string(card.id), "object": "model", "created": .integer(card.created),
            "owned_by": card.remote == nil ? "leap" : "remote",
            "aliases": .array(card.aliases.map { .string($0) }),
            // The capabilities of another server's model are unknown.
            "capabilities": .array(card.remote == nil ? core.files.facts(card).capabilities : []),
            "status": ["value": .string(core.isShuttingDown ? "draining" : condition.rawValue)],
        ]
        guard let model = core.shelf.loaded(card.id)?.model, let context = model.contextLength else { return json }
        json = json.with("context_length", .integer(context))
        return json.with(
            "meta",
            [
                "n_ctx_train": model.trainedContextLength.map { .integer($0) } ?? .null,
                "n_vocab": (try? model.tokenizer.vocabularySize).map { .integer($0) } ?? .null,
                "size": .integer(card.bytes),
            ])
    }

    private func chat(_ exchange: Exchange) async throws -> Reply {
        let request = try ChatCompletionRequest(try exchange.fields())
        let order = try await core.prepare(request.order, for: exchange)
        var style = request.style
        style.model = request.order.model ?? order.card.id
        style.fingerprint = core.fingerprint(order.card)
        guard style.streams else { return .json(style.reply(try await order.answers())) }
        return order.stream(
            type: "text/event-stream", idle: ServerSentEvents.ping,
            ChatCompletionStream(style, choices: request.order.choices))
    }

    private func complete(_ exchange: Exchange) async throws -> Reply {
        let request = try CompletionRequest(try exchange.fields())
        let lease = try await core.lease(request.orders[0].model)
        let tokenizer = try lease.engine.model().tokenizer
        let reply = CompletionReply(
            request, model: request.orders[0].model ?? lease.card.id, fingerprint: core.fingerprint(lease.card)
        ) { tokenizer.bytes(of: $0, renderSpecial: false).isEmpty }
        guard request.streams else {
            return .json(reply.reply(try await continuations(of: request, exchange)))
        }
        return try await stream(request, reply, exchange)
    }

    private func stream(
        _ request: CompletionRequest, _ reply: CompletionReply, _ exchange: Exchange
    ) async throws -> Reply {
        guard request.orders.count <= Self.promptsAtATime else {
            throw APIError.invalid(
                "prompt",
                "has \(request.orders.count) prompts, but at most \(Self.promptsAtATime) can be streamed per request")
        }
        // The prompts' log probabilities precede the answers in the stream, so they must be computed first.
        var scores: [[TokenReport]?] = []
        for order in request.orders where request.echoes {
            scores.append(request.logprobs == nil ? nil : try await promptScores(order, exchange))
        }
        var admitted: [AdmittedOrder] = []
        for order in request.orders {
            admitted.append(try await core.prepare(order.changed { $0.scoresPrompt = false }, for: exchange))
        }
        let echoes = try zip(admitted, scores).map { try Echo($0.prepared, $1) }
        var first = admitted.removeFirst()
        first.others = admitted
        return first.stream(
            type: "text/event-stream", idle: ServerSentEvents.ping, CompletionStream(reply, request, echoes: echoes))
    }

    /// The probabilities of a prompt's tokens, from the second one on.
    private func promptScores(_ order: AnswerOrder, _ exchange: Exchange) async throws -> [TokenReport]? {
        var order = order.changed { $0.maxTokens = 0 }
        order.choices = 1
        let admitted = try await core.prepare(order, for: exchange)
        return try await admitted.unrecordedAnswers().first?.promptTokens
    }

    /// Prompts of one request that are continued at a time, so that slots remain for others.
    private static let promptsAtATime = 8

    private func continuations(of request: CompletionRequest, _ exchange: Exchange) async throws -> [Continuation] {
        var continuations: [Continuation] = []
        for start in stride(from: 0, to: request.orders.count, by: Self.promptsAtATime) {
            let orders = request.orders[start..<min(start + Self.promptsAtATime, request.orders.count)]
            let some = try await withThrowingTaskGroup { group in
                for (number, order) in orders.enumerated() {
                    let admitted = try await core.prepare(order, for: exchange)
                    group.addTask { (number, try await Continuation(admitted, echoes: request.echoes)) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            continuations += some.sorted { $0.0 < $1.0 }.map(\.1)
        }
        return continuations
    }
}

/// The result of one prompt.
struct Continuation: Sendable {
    /// The answers.
    let answers: [FinishedAnswer]
    /// The prompt, if they include it.
    let echo: Echo?

    fileprivate init(_ order: AdmittedOrder, echoes: Bool) async throws {
        answers = try await order.answers()
        echo = echoes ? try Echo(order.prepared, answers.first?.promptTokens) : nil
    }
}
