import LeapEngine
import LeapGeneration
import LeapJSON
import LeapTokenizer

/// An order that a model can answer: tokenised, compiled, and known to fit, before a client hears anything.
struct PreparedOrder: Sendable {
    /// Who answers.
    let lease: ModelLease
    /// What it was made of.
    let order: AnswerOrder
    /// What to generate for each answer.
    let requests: [GenerationRequest]

    /// Tokens of the prompt.
    var promptTokens: Int { requests.first?.prompt.count ?? 0 }

    /// - Parameters:
    ///   - client: Whose time it takes.
    ///   - isolatesCache: Whether what is learned of the prompt is the client's own.
    /// - Throws: What the client is told.
    init(
        _ order: AnswerOrder, for client: String, on lease: ModelLease, isolatesCache: Bool
    ) throws(APIError) {
        self.lease = lease
        self.order = order
        do {
            let model = try lease.engine.model()
            let first = try Self.request(order, model)
            let limit = min(first.stop.sequenceLength ?? model.contextLength, model.contextLength)
            guard first.prompt.count < limit else {
                throw GenerationError.promptTooLong(promptTokens: first.prompt.count, contextLength: limit)
            }
            requests = (0..<order.choices).map { index in
                var request = first
                request.seed &+= UInt64(index)
                request.client = client
                if isolatesCache { request.prompt.owner = client }
                return request
            }
        } catch {
            var error = APIError(engine: error)
            if error.param == "messages", !order.isChat { error.param = "prompt" }
            throw error
        }
    }

    private static func request(_ order: AnswerOrder, _ model: LoadedModel) throws -> GenerationRequest {
        switch order.subject {
        case .chat(var chat):
            // Nobody is sent sound who did not ask for it.
            if chat.options.speech == .automatic, !order.takesSound { chat.options.speech = .never }
            if let forced = order.forcedCall {
                chat.options.constraint = .jsonSchema(forced.schema.text(), isOneLine: true)
                chat.options.showsSchema = false
                chat.options.calls = .none
            }
            return try model.fittingRequest(chat).request
        case .text(let text, let options): return try model.request(continuing: text, options)
        case .gap(let before, let behind, let options):
            return try model.request(filling: before, before: behind, options)
        case .tokens(let tokens, let options):
            let vocabulary = model.tokenizer.vocabularySize
            if let stranger = tokens.first(where: { !(0..<vocabulary).contains(Int($0)) }) {
                throw APIError.invalid("prompt", "has token \(stranger), but the vocabulary ends at \(vocabulary - 1)")
            }
            return try model.request(continuing: tokens, options)
        }
    }
}

/// Answers that are on their way.
struct AnswerRun: Sendable {
    /// What becomes known of them.
    let feed = AnswerFeed()
    /// How many there will be.
    let count: Int
    private let cancellation = CancellationFlag()

    /// Begins.
    init(_ prepared: PreparedOrder) {
        count = prepared.requests.count
        let (feed, cancellation) = (feed, cancellation)
        Task {
            await withTaskGroup { group in
                for (choice, request) in prepared.requests.enumerated() {
                    group.addTask { await Self.answer(request, choice, prepared, feed, cancellation) }
                }
            }
            feed.end()
        }
    }

    /// Ends all of them: nobody waits any more.
    func cancel() {
        cancellation.cancel()
    }

    /// Whether nobody waits any more.
    var isCancelled: Bool { cancellation.isCancelled }

    private static func answer(
        _ request: GenerationRequest, _ choice: Int, _ prepared: PreparedOrder, _ feed: AnswerFeed,
        _ cancellation: CancellationFlag
    ) async {
        do {
            let assembly = AnswerAssembly(prepared.order, try prepared.lease.engine.model())
            let own = CancellationFlag(under: cancellation)
            let answer = try await prepared.lease.engine.answer(request, cancellation: own) { event in
                let (pieces, isEnough) = assembly.take(event)
                for piece in pieces { feed.put(piece, choice: choice) }
                if isEnough { own.cancel() }
            }
            feed.put(.finished(assembly.finish(answer)), choice: choice)
        } catch {
            feed.put(.failed(APIError(engine: error)), choice: choice)
        }
    }
}

extension AnswerRun {
    /// All answers, when the last one is whole. Cancelling the task ends them.
    ///
    /// - Throws: Why there is none.
    func all() async throws(APIError) -> [FinishedAnswer] {
        var answers = [FinishedAnswer?](repeating: nil, count: count)
        var failure: APIError?
        await withTaskCancellationHandler {
            while let items = await feed.next() {
                for item in items {
                    if case .finished(let answer) = item.piece { answers[item.choice] = answer }
                    if case .failed(let error) = item.piece { failure = error }
                }
            }
        } onCancel: {
            cancel()
        }
        if let failure { throw failure }
        return answers.compactMap(\.self)
    }
}
