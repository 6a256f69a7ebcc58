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
                    exchange.isAnthropic ? AnthropicModels.list(core.pool.contents.map(\.card)) : models()
                },
                Route(method: .get, path: prefix + "/models/*", about: "Describes a model") { exchange, name in
                    exchange.isAnthropic ? AnthropicModels.model(name, core.pool, exchange) : try model(name)
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
        let contents = core.pool.contents
        return .json([
            "object": "list", "data": .array(contents.map { json($0.card, $0.condition) }),
            // The list in llama-server's format, which some agents read instead.
            "models": .array(
                contents.map { ["name": .string($0.card.id), "model": .string($0.card.id), "type": "model"] }),
        ])
    }

    private func model(_ name: String) throws(APIError) -> Reply {
        let card = try core.pool.card(name)
        let condition = core.pool.contents.first { $0.card.id == card.id }?.condition ?? .absent
        return .json(json(card, condition))
    }

    private func json(_ card: ModelCard, _ condition: ModelPool.Condition) -> JSONValue {
        var json: JSONValue = [
            "id": .string(card.id), "object": "model", "created": .integer(card.created),
            "owned_by": card.remote == nil ? "leap" : "remote",
            "aliases": .array(card.aliases.map { .string($0) }),
            // The capabilities of another server's model are unknown.
            "capabilities": .array(card.remote == nil ? core.files.facts(card).capabilities : []),
            "status": ["value": .string(core.isShuttingDown ? "draining" : condition.rawValue)],
        ]
        guard let model = core.pool.loaded(card.id)?.model, let context = model.contextLength else { return json }
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
        let job = try await core.prepare(request.job, for: exchange)
        var style = request.style
        style.model = job.modelName
        style.fingerprint = core.fingerprint(job.card, adapterScales: job.prepared.adapterScales)
        let stream = ChatCompletionStream(style, choices: request.job.choices)
        return try await job.reply(streams: style.streams, stream, whole: style.reply)
    }

    private func complete(_ exchange: Exchange) async throws -> Reply {
        var request = try CompletionRequest(try exchange.fields())
        let lease = try await core.lease(request.jobs[0].model)
        defer { withExtendedLifetime(lease) {} }
        let model = try lease.engine.model()
        let tokenizer = model.tokenizer
        let scales = try request.settleAdapterScales(of: model)
        let reply = CompletionReply(
            request, model: request.jobs[0].model ?? lease.card.id,
            fingerprint: core.fingerprint(lease.card, adapterScales: scales)
        ) { tokenizer.bytes(of: $0, renderSpecial: false).isEmpty }
        guard request.streams else {
            return .json(reply.reply(try await continuations(of: request, exchange)))
        }
        return try await stream(request, reply, exchange)
    }

    private func stream(
        _ request: CompletionRequest, _ reply: CompletionReply, _ exchange: Exchange
    ) async throws -> Reply {
        guard request.jobs.count <= Self.promptsAtATime else {
            throw APIError.invalid(
                "prompt",
                "has \(request.jobs.count) prompts, but at most \(Self.promptsAtATime) can be streamed per request")
        }
        // The prompts' log probabilities precede the answers in the stream, so they must be computed first.
        var scores: [[TokenReport]?] = []
        for job in request.jobs where request.echoes {
            scores.append(request.logprobs == nil ? nil : try await promptScores(job, exchange))
        }
        var admitted: [AdmittedJob] = []
        for job in request.jobs {
            admitted.append(try await core.prepare(job.changed { $0.scoresPrompt = false }, for: exchange))
        }
        let echoes = try zip(admitted, scores).map { try Echo($0.prepared, $1) }
        var first = admitted.removeFirst()
        first.others = admitted
        return first.stream(CompletionStream(reply, request, echoes: echoes))
    }

    /// The probabilities of a prompt's tokens, from the second one on.
    private func promptScores(_ job: AnswerJob, _ exchange: Exchange) async throws -> [TokenReport]? {
        var job = job.changed { $0.maxTokens = 0 }
        job.choices = 1
        let admitted = try await core.prepare(job, for: exchange)
        return try await admitted.unrecordedAnswers().first?.promptTokens
    }

    /// Prompts of one request that are continued at a time, so that slots remain for others.
    private static let promptsAtATime = 8

    private func continuations(of request: CompletionRequest, _ exchange: Exchange) async throws -> [Continuation] {
        var continuations: [Continuation] = []
        for start in stride(from: 0, to: request.jobs.count, by: Self.promptsAtATime) {
            let jobs = request.jobs[start..<min(start + Self.promptsAtATime, request.jobs.count)]
            let some = try await withThrowingTaskGroup { group in
                for (number, job) in jobs.enumerated() {
                    let admitted = try await core.prepare(job, for: exchange)
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

    fileprivate init(_ job: AdmittedJob, echoes: Bool) async throws {
        answers = try await job.answers()
        echo = echoes ? try Echo(job.prepared, answers.first?.promptTokens) : nil
    }
}
