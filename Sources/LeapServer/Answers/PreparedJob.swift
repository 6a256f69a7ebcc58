import LeapEngine
import LeapGeneration
import LeapJSON
import LeapTokenizer

/// A job that is ready to be answered: tokenised, its constraint compiled, and known to fit, so that errors are reported
/// before the reply begins.
struct PreparedJob: Sendable {
    /// The model that answers.
    let lease: ModelLease
    /// The job, with the model's defaults where the client asked for nothing.
    let job: AnswerJob
    /// What to generate for each answer.
    let requests: [GenerationRequest]

    /// Tokens of the prompt.
    var promptTokens: Int { requests.first?.prompt.count ?? 0 }
    /// The scales of the model's adapters; `nil` of a model without.
    var adapterScales: [Float]? { requests.first?.prompt.adapterScales }

    /// - Parameters:
    ///   - job: What a client asked for, which the model's defaults complete.
    ///   - client: The client to whose share of time it counts.
    ///   - isolatesCache: Whether the prompt's cache entries are private to the client.
    /// - Throws: The error for the client.
    init(
        _ job: AnswerJob, for client: String, on lease: ModelLease, isolatesCache: Bool
    ) throws(APIError) {
        self.lease = lease
        let job = lease.card.defaults.complete(job)
        self.job = job
        do {
            let model = try lease.engine.model()
            let first = try Self.request(job, model)
            let limit = min(first.stop.sequenceLength ?? model.contextLength, model.contextLength)
            guard first.prompt.count < limit else {
                throw GenerationError.promptTooLong(promptTokens: first.prompt.count, contextLength: limit)
            }
            let number = UInt64.random(in: .min ... .max)
            requests = (0..<job.choices).map { index in
                var request = first
                request.job = number
                request.seed &+= UInt64(index)
                request.client = client
                request.stop.cutsConstrainedAnswers = true
                request.stop.endsAfterCalls = !job.allowsParallelCalls
                if isolatesCache { request.prompt.belong(to: client) }
                return request
            }
        } catch {
            throw APIError(engine: error, in: job.fields)
        }
    }

    private static func request(_ job: AnswerJob, _ model: LoadedModel) throws -> GenerationRequest {
        switch job.subject {
        case .chat(var chat):
            // Do not send sound to clients that did not ask for it.
            if chat.options.speech == .automatic, !job.takesSound { chat.options.speech = .never }
            if let forced = job.forcedCall {
                chat.options.requiredCalls = .init(
                    forced.tools.map(\.name), maySeveral: job.allowsParallelCalls)
            }
            var request = try model.fittingRequest(chat).request
            if let context = job.context { try model.resume(&request, after: context) }
            return request
        case .text(let text, let options): return try model.request(continuing: text, options)
        case .infill(let prefix, let suffix, let options):
            return try model.request(filling: prefix, before: suffix, options)
        case .tokens(let tokens, let options):
            try model.check(tokens, of: "prompt")
            return try model.request(continuing: tokens, options)
        case .pieces(let pieces, let options):
            return try model.request(continuing: try model.tokens(of: pieces), options)
        }
    }
}

extension PreparedJob {
    /// The tokens of prompt and answer, for clients that keep them; `nil` if there were media, which have no tokens.
    fileprivate func context(of request: GenerationRequest, _ result: GenerationResult) -> [Token]? {
        let prompt = request.prompt.tokens
        guard !prompt.contains(Prompt.noToken), let model = try? lease.engine.model() else { return nil }
        // An answer that its constraint completed has no token of its own for its end.
        let isOver = result.finishReason == .endOfGeneration
        let end = result.endToken ?? (isOver ? model.tokenizer.eot ?? model.tokenizer.eos : nil)
        return prompt + result.tokens + (end.map { [$0] } ?? [])
    }
}

extension LoadedModel {
    /// Rejects tokens that are not in the vocabulary.
    fileprivate func check(_ tokens: [Token], of field: String) throws(APIError) {
        let vocabulary = tokenizer.vocabularySize
        guard let stranger = tokens.first(where: { !(0..<vocabulary).contains(Int($0)) }) else { return }
        throw APIError.invalid(field, "contains token \(stranger), but token IDs are 0 to \(vocabulary - 1)")
    }

    /// The tokens of concatenated texts and tokens. BOS is added only if a text comes first.
    fileprivate func tokens(of pieces: [CompletionRequest.Prompt]) throws(APIError) -> [Token] {
        var tokens: [Token] = []
        for piece in pieces {
            switch piece {
            case .text(let text): tokens += tokenizer.encode(text, addSpecial: tokens.isEmpty, parseSpecial: true)
            case .tokens(let given):
                try check(given, of: "prompt")
                tokens += given
            }
        }
        return tokens
    }

    /// Puts the earlier conversation in front of a prompt, whose beginning-of-sequence token is then dropped.
    fileprivate func resume(_ request: inout GenerationRequest, after context: [Token]) throws(APIError) {
        guard !context.isEmpty else { return }
        try check(context, of: "context")
        let tokens = request.prompt.tokens
        guard !tokens.contains(Prompt.noToken) else {
            throw APIError.invalid("images", "cannot be combined with 'context': send the conversation to /api/chat")
        }
        var prompt = Prompt(context + tokens.dropFirst(hasBeginToken(tokens) ? 1 : 0))
        prompt.adapterScales = request.prompt.adapterScales
        request.prompt = prompt
    }
}

/// Answers in progress.
struct AnswerRun: Sendable {
    /// The queue of their pieces.
    let feed: AnswerFeed
    /// The number of answers.
    let count: Int
    private let cancellation = CancellationFlag()

    /// Begins.
    ///
    /// - Parameters:
    ///   - jobs: The jobs to answer. Their answers are numbered consecutively.
    ///   - heldAnswers: Counts those that are paused for slow clients.
    init(_ jobs: [PreparedJob], _ heldAnswers: HeldAnswers) {
        let requests = jobs.flatMap { job in job.requests.map { (job, $0) } }
        count = requests.count
        feed = AnswerFeed(counting: heldAnswers)
        let (feed, cancellation) = (feed, cancellation)
        Task {
            await withTaskGroup { group in
                for (choice, (job, request)) in requests.enumerated() {
                    group.addTask { await Self.answer(request, choice, job, feed, cancellation) }
                }
            }
            feed.end()
        }
    }

    /// Cancels all of them, because no client is waiting any more.
    func cancel() {
        cancellation.cancel()
        // Paused generations notice a cancellation only when they are released.
        feed.pause.release()
    }

    /// Ends all of them with an error as the last event.
    func end(_ error: APIError) {
        feed.put(.failed(error))
        feed.end()
        cancel()
    }

    /// Whether no client is waiting any more.
    var isCancelled: Bool { cancellation.isCancelled }

    private static func answer(
        _ request: GenerationRequest, _ choice: Int, _ prepared: PreparedJob, _ feed: AnswerFeed,
        _ cancellation: CancellationFlag
    ) async {
        do {
            let assembly = AnswerAssembly(
                prepared.job, try prepared.lease.engine.model(), mayCutCalls: !request.stop.strings.isEmpty)
            let answer = try await prepared.lease.engine.answer(
                request, cancellation: CancellationFlag(under: cancellation), pause: feed.pause
            ) { event in
                for piece in assembly.take(event) { feed.put(piece, choice: choice) }
            }
            let (pieces, whole) = assembly.finish(answer)
            for piece in pieces { feed.put(piece, choice: choice) }
            var finished = whole
            if prepared.job.context != nil { finished.context = prepared.context(of: request, answer.result) }
            feed.put(.finished(finished), choice: choice)
        } catch {
            feed.put(.failed(APIError(engine: error)), choice: choice)
        }
    }
}

extension AnswerRun {
    /// All answers, once the last one is complete. Cancelling the task ends them.
    ///
    /// - Throws: The error of an answer that failed.
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
