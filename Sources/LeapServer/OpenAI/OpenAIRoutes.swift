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
                Route(method: .get, path: prefix + "/models", about: "Lists models") { _, _ in models() },
                Route(method: .get, path: prefix + "/models/*", about: "Tells of a model") { _, name in try model(name)
                },
                Route(
                    method: .post, path: prefix + "/chat/completions", about: "Answers a conversation",
                    fields: ChatCompletionRequest.fields, answer: { exchange, _ in try await chat(exchange) }),
                Route(
                    method: .post, path: prefix + "/completions", about: "Continues texts",
                    fields: CompletionRequest.fields, answer: { exchange, _ in try await complete(exchange) }),
            ]
        }
    }

    private func models() -> Reply {
        let contents = core.shelf.contents
        return .json([
            "object": "list", "data": .array(contents.map { json($0.card, $0.condition) }),
            // The list in llama-server's manner, which some agents read instead.
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
            // What another server's model can do is not known here.
            "capabilities": .array(card.remote == nil ? core.files.facts(card).capabilities : []),
            "status": ["value": .string(core.isLeaving ? "draining" : condition.rawValue)],
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
        let card = try await core.lease(request.orders[0].model).card
        let reply = CompletionReply(
            request, model: request.orders[0].model ?? card.id, fingerprint: core.fingerprint(card))
        guard request.streams else {
            return .json(reply.reply(try await continuations(of: request, exchange)))
        }
        guard request.orders.count == 1 else {
            throw APIError.invalid("prompt", "has several texts, which cannot be streamed: set 'stream' to false")
        }
        return try await core.prepare(request.orders[0], for: exchange).stream(
            type: "text/event-stream", idle: ServerSentEvents.ping,
            CompletionStream(reply, request, choices: request.orders[0].choices))
    }

    /// Prompts of one request that are continued at a time, so that it leaves places for others.
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

/// What became of one prompt.
struct Continuation: Sendable {
    /// The answers.
    let answers: [FinishedAnswer]
    /// The prompt, where it is a part of them.
    let echo: Echo?

    fileprivate init(_ order: AdmittedOrder, echoes: Bool) async throws {
        answers = try await order.answers()
        echo = echoes ? try Echo(order.prepared, answers.first?.promptTokens) : nil
    }
}

extension Echo {
    /// The prompt of an order, without the token that only begins texts.
    ///
    /// - Parameter scores: Of its tokens from the second one on, where they are known.
    init(_ prepared: PreparedOrder, _ scores: [TokenReport]?) throws {
        let model = try prepared.lease.engine.model()
        let tokens = prepared.requests.first?.prompt.tokens ?? []
        let isMarked = model.hasBeginToken(tokens)
        text = model.tokenizer.decode(Array(tokens.dropFirst(isMarked ? 1 : 0)), renderSpecial: true)
        guard let scores, let first = tokens.first else {
            self.tokens = []
            return
        }
        let known = scores.map(ScoredToken.init)
        let unknown = ScoredToken(text: model.tokenizer.decode([first], renderSpecial: true), logprob: nil)
        // What stands behind the token that begins texts is the text's first, and has nothing before it.
        self.tokens =
            isMarked
            ? known.prefix(1).map { ScoredToken(text: $0.text, logprob: nil) } + known.dropFirst() : [unknown] + known
    }
}

/// Writes a completion while it is made.
struct CompletionStream: AnswerWriter {
    private let reply: CompletionReply
    private let showsTokens: Bool
    private var answers: [FinishedAnswer?]

    init(_ reply: CompletionReply, _ request: CompletionRequest, choices: Int) {
        self.reply = reply
        showsTokens = request.logprobs != nil
        answers = Array(repeating: nil, count: choices)
    }

    func begin() -> [UInt8] { [] }

    mutating func write(_ item: AnswerFeed.Item) -> [UInt8] {
        switch item.piece {
        case .text(let text): return reply.chunk(item.choice, text: text)
        case .token(let token): return showsTokens ? reply.chunk(item.choice, text: "", tokens: [token]) : []
        case .finished(let answer):
            answers[item.choice] = answer
            return reply.chunk(item.choice, text: "", reason: answer.end.openAIReason)
        case .failed(let error): return ServerSentEvents.event(error.openAIDocument)
        case .ping: return ServerSentEvents.ping
        case .promptRead, .reasoning, .callBegins, .callArguments, .sound: return []
        }
    }

    func end() -> [UInt8] {
        let whole = answers.compactMap(\.self)
        return whole.count == answers.count ? reply.end(whole) : []
    }
}
