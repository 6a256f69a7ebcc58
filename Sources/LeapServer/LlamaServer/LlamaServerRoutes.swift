import HTTPTypes
import LeapEngine
import LeapJSON
import LeapTokenizer

/// llama-server's routes besides OpenAI's API.
struct LlamaServerRoutes: Sendable {
    let core: ServerCore

    var routes: [Route] {
        let health: Route.Answer = { _, _ in self.health() }
        return [
            Route(
                method: .get, path: "/health", isPublic: true, about: "Reports whether the server accepts requests",
                answer: health
            ),
            Route(
                method: .get, path: "/v1/health", isPublic: true, about: "Reports whether the server accepts requests",
                answer: health),
            Route(method: .get, path: "/version", isPublic: true, about: "Returns the version") { _, _ in
                .json(["version": .string(Engine.version)])
            },
            Route(method: .get, path: "/props", about: "Describes the server and a model (the first one, or ?model=ID)")
            {
                exchange, _ in try await props(of: exchange.parameter("model"))
            },
            Route(method: .get, path: "/slots", about: "Reports which slots are in use") { exchange, _ in
                try slots(exchange)
            },
            Route(
                method: .get, path: "/metrics", about: "Metrics in Prometheus format", replyTypes: ["text/plain"]
            ) { _, _ in metrics() },
            Route(
                method: .post, path: "/apply-template",
                about: "Renders a conversation into a prompt with the chat template",
                fields: ChatCompletionRequest.fields
            ) { exchange, _ in try await applyTemplate(exchange) },
        ]
    }

    private func health() -> Reply {
        // Requests for a model that is being loaded wait, so they are accepted.
        core.isShuttingDown ? .error(.draining) : .json(["status": "ok"])
    }

    private func props(of model: String?) async throws -> Reply {
        let lease = try await core.lease(model)
        let tokenizer = try lease.model.tokenizer
        let writer = lease.model.written
        func text(_ token: Token?) -> JSONValue {
            token.flatMap { tokenizer.text(of: $0) }.map { .string($0) } ?? .null
        }
        return .json([
            "default_generation_settings": [
                "n_ctx": lease.model.contextLength.map { .integer($0) } ?? .null,
                "params": writer.map { lease.card.defaults.json(for: $0) } ?? .null,
            ],
            "total_slots": .integer(core.configuration.parallel), "model_alias": .string(lease.card.id),
            "chat_template": writer?.chatTemplate.map { .string($0) } ?? .null,
            "bos_token": text(tokenizer.bos), "eos_token": text(tokenizer.eos),
            "modalities": ["vision": .bool(writer?.vision != nil), "audio": .bool(writer?.audioInput != nil)],
            "build_info": .string("leap \(Engine.version)"),
        ])
    }

    /// How many requests are being answered, without their content.
    private func slots(_ exchange: Exchange) throws(APIError) -> Reply {
        let count = core.admission.count
        let total = core.configuration.parallel
        let context = core.pool.loaded(nil)?.model.contextLength.map { JSONValue.integer($0) }
        if exchange.parameter("fail_on_no_slot") == "1", count >= total {
            throw APIError(.overloaded(retryAfter: 1), "all \(total) slots are in use", code: "no_slot_available")
        }
        let slots = core.admission.slots.enumerated().map { index, answer in
            Self.slot(index, answer: answer, context: context ?? .null)
        }
        return .json(.array(slots))
    }

    /// A slot with the number of its answer. The answer's progress is not revealed.
    private static func slot(_ index: Int, answer: Int?, context: JSONValue) -> JSONValue {
        [
            "id": .integer(index), "id_task": .integer(answer ?? -1), "n_ctx": context,
            "is_processing": .bool(answer != nil),
            "next_token": [["has_next_token": .bool(answer != nil)]],
        ]
    }

    private func metrics() -> Reply {
        let waiting = core.admission.waiting
        let gauges: [MetricsNames.Gauge: Double] = [
            .running: Double(core.admission.count - waiting), .waiting: Double(waiting),
            .held: Double(core.metrics.heldAnswers.count),
            .models: Double(core.pool.localContents.count { $0.condition == .ready }),
            .promptSpeed: core.metrics.rate(.promptTokens, per: .promptSeconds),
            .answerSpeed: core.metrics.rate(.completionTokens, per: .completionSeconds),
            .mostTokens: Double(core.metrics.mostTokens),
        ]
        let names = [MetricsNames.leap] + core.configuration.metricsNames.filter { $0 != .leap }
        let text = names.map { core.metrics.text($0, gauges: gauges) }.joined()
        return .whole(.ok, Array(text.utf8), type: "text/plain; version=0.0.4; charset=utf-8")
    }

    private func applyTemplate(_ exchange: Exchange) async throws -> Reply {
        let fields = try exchange.fields()
        let request = try ChatCompletionRequest(fields, isShown: true)
        guard case .chat(let chat) = request.job.subject else { return .json(["prompt": ""]) }
        let lease = try await core.lease(request.job.model)
        let model = try lease.engine.model()
        do { return .json(["prompt": .string(try model.text(of: lease.card.defaults.complete(chat)))]) } catch {
            throw APIError(engine: error, in: request.job.fields)
        }
    }
}
