import Foundation
import HTTPTypes
import LeapEngine
import LeapJSON

/// ollama's API.
struct OllamaRoutes: Sendable {
    let core: ServerCore
    private var models: OllamaModels { core.files }

    private static let name = Field.string("name", "deprecated name of 'model'")

    var routes: [Route] {
        answers + lists + refusals
    }

    private var answers: [Route] {
        [
            Route(
                method: .post, path: "/api/chat", dialect: .ollama, about: "Creates a chat completion (ollama API)",
                fields: OllamaRequest.chatFields
            ) { exchange, _ in try await answer(try OllamaRequest.chat(try exchange.fields()), exchange) },
            Route(
                method: .post, path: "/api/generate", dialect: .ollama, about: "Creates a completion (ollama API)",
                fields: OllamaRequest.promptFields
            ) { exchange, _ in try await answer(try OllamaRequest.prompt(try exchange.fields()), exchange) },
        ]
    }

    private var lists: [Route] {
        [
            Route(method: .get, path: "/api/version", dialect: .ollama, about: "Returns the version") { _, _ in
                .json(["version": .string(Engine.version)])
            },
            Route(method: .get, path: "/api/tags", dialect: .ollama, about: "Lists the models") { _, _ in
                .json(["models": .array(core.pool.localContents.map { $0.card.ollamaJSON(models.facts($0.card)) })])
            },
            Route(method: .get, path: "/api/ps", dialect: .ollama, about: "Lists the loaded models") { _, _ in loaded()
            },
            Route(
                method: .post, path: "/api/show", dialect: .ollama, about: "Describes a model",
                fields: [OllamaFields.model, Self.name]
            ) { exchange, _ in try show(exchange) },
        ]
    }

    /// Operations of ollama's API that are not supported.
    private var refusals: [Route] {
        let library = "models cannot be managed by requests: pass them to the server on its command line"
        let refused: [(HTTPRequest.Method, String, String)] = [
            (.post, "/api/pull", library), (.post, "/api/push", library), (.post, "/api/create", library),
            (.post, "/api/copy", library), (.delete, "/api/delete", library),
        ]
        return refused.map { method, path, reason in
            Route(method: method, path: path, dialect: .ollama, about: "Not supported") { _, _ in
                throw APIError(.notSupported, reason)
            }
        }
    }

    // MARK: Answers

    private func answer(_ request: OllamaRequest, _ exchange: Exchange) async throws -> Reply {
        let begin = ContinuousClock.now
        guard let job = request.job else { return try await bring(request) }
        let admitted = try await core.prepare(job, for: exchange)
        if let keepAlive = request.keepAlive { core.pool.keep(admitted.card, for: keepAlive) }
        var style = request.style
        style.loading = .now - begin
        return try await admitted.reply(
            streams: style.streams, type: "application/x-ndjson", idle: nil, OllamaStream(style)
        ) { style.reply($0.first ?? FinishedAnswer()) }
    }

    /// Loads or unloads a model.
    private func bring(_ request: OllamaRequest) async throws -> Reply {
        if request.keepAlive == .zero {
            await core.pool.unload(try core.pool.card(request.model))
            return .json(request.style.nothing("unload"))
        }
        let lease = try await core.lease(request.model)
        if let keepAlive = request.keepAlive { core.pool.keep(lease.card, for: keepAlive) }
        return .json(request.style.nothing("load"))
    }

    // MARK: Models

    /// The expiry time of a model that stays loaded forever.
    private static let never = Duration.seconds(100 * 365 * 86_400)

    private func loaded() -> Reply {
        let cards = core.pool.localContents.filter { $0.condition == .ready }.map(\.card)
        return .json([
            "models": .array(
                cards.map { card in
                    let rest = core.pool.timeUntilUnload(of: card) ?? Self.never
                    let context = core.pool.loaded(card.id)?.model.contextLength
                    return card.ollamaJSON(models.facts(card))
                        .with("expires_at", OllamaStyle.time(Date(timeIntervalSinceNow: rest / .seconds(1))))
                        .with("size_vram", 0)
                        .with("context_length", context.map { .integer($0) } ?? .null)
                })
        ])
    }

    private func show(_ exchange: Exchange) throws -> Reply {
        let fields = try exchange.fields()
        let card = try core.pool.card(try fields(OllamaFields.model) ?? fields.required(Self.name))
        try card.requireHere()
        let facts = models.facts(card)
        return .json([
            "modelfile": "", "parameters": .string(card.defaults.parameterLines),
            "template": .string(facts.template ?? ""), "details": facts.details,
            "model_info": .object(facts.info),
            "capabilities": .array(facts.capabilities),
            "modified_at": OllamaStyle.time(Date(timeIntervalSince1970: Double(card.created))),
        ])
    }
}
