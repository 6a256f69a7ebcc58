import LeapChat
import LeapConstraints
import LeapModels
import LeapTokenizer

/// The state of one generation: draws tokens, decides when to stop, and keeps statistics.
struct GenerationRun {
    private let stop: StopCondition
    private let limit: Int
    private let start = ContinuousClock.now
    private var firstToken: ContinuousClock.Instant?
    private var sampler: Sampler
    private var constraint: ConstraintRun?
    private var calls: CallRun?
    /// The mask for the next token, if it was made before the pass.
    private var mask: TokenMask?
    private var budget: ThoughtBudget?
    private var distribution: RawDistribution?
    private var logprobs: [TokenProbability] = []
    private var endToken: Token?
    private var endLogprob: TokenProbability?
    private var router: OutputRouter
    private var speech: SpeechRun?
    private var tokens: [Token] = []
    private var finishReason: FinishReason?
    private var statistics = GenerationStatistics()

    /// Notes how far the prompt is read, and how much of that was found.
    mutating func recordProgress(of prompt: PromptReading) {
        statistics.cachedPromptTokens = prompt.cachedTokens
        statistics.computedPromptTokens = prompt.state.position - prompt.cachedTokens
    }

    /// Records the totals of drafted and accepted tokens.
    mutating func recordDrafts(of speculation: Speculation) {
        (statistics.draftedTokens, statistics.acceptedTokens) = speculation.statistics
    }

    /// - Parameter limit: The most tokens of prompt and answer together.
    init(
        _ request: GenerationRequest, limit: Int, tokenizer: Tokenizer
    ) throws(GenerationError) {
        if let limit = request.thinkingBudget, request.routing != .raw {
            budget = ThoughtBudget(limit: limit, end: request.reading.dialect.thoughtEnd ?? "", tokenizer: tokenizer)
        }
        distribution = request.topLogprobs.map { RawDistribution(alternatives: $0) }
        do {
            sampler = try Sampler(configuration: request.sampling, seed: request.seed)
        } catch { throw .sampler(error) }
        for token in request.prompt.tokens.suffix(request.sampling.lookback) where token != Prompt.noToken {
            sampler.accept(token)
        }
        let hasStops = request.constraint == nil || request.stop.cutsConstrainedAnswers
        router = OutputRouter(
            tokenizer: tokenizer, stopStrings: hasStops ? request.stop.strings : [], routing: request.routing,
            reading: request.reading,
            isExact: request.constraint != nil && !request.routing.startsInReasoning,
            endsAfterCalls: request.stop.endsAfterCalls)
        stop = request.stop
        self.limit = limit
        statistics.promptTokens = request.prompt.count
    }

    /// Constrains what is drawn from here on, before the first token.
    ///
    /// - Parameters:
    ///   - answer: Masks of the constraint on the answer, if there is one.
    ///   - callMasker: Masks of the constraint on blocks of calls, if there is one.
    mutating func constrain(
        _ answer: SharedMasker?, calls callMasker: SharedMasker?, _ scope: ConstraintScope, _ tokenizer: Tokenizer
    ) {
        if let answer {
            constraint = ConstraintRun(answer, calls: callMasker, scope)
        } else if let callMasker {
            calls = CallRun(callMasker, scope, tokenizer)
        }
    }

    private var maskNeeded: NeededMask? { constraint?.neededMask ?? calls?.neededMask }

    /// Makes the mask that the next draw needs, if that is quick.
    ///
    /// - Returns: What is needed if it is not; `nil` if nothing is.
    mutating func makeQuickMask() -> NeededMask? {
        guard mask == nil, let needed = maskNeeded else { return nil }
        mask = needed.maker.quickMask(for: needed.state)
        return mask == nil ? needed : nil
    }

    /// Whether making the masks of drafted tokens may take long.
    var masksTakeLong: Bool { maskNeeded?.mayTakeLong == true }

    /// Keeps the mask that the next draw needs.
    mutating func keep(_ mask: TokenMask) { self.mask = mask }

    /// Speaks from here on, before the first token.
    mutating func speak(_ speech: SpeechRun) {
        self.speech = speech
    }

    /// Whether a frame of sound comes next, and no token.
    var isSounding: Bool { speech?.isSounding ?? false }

    /// Tokens and frames.
    private var length: Int { tokens.count + (speech?.frameCount ?? 0) }

    /// Keeps the model's last hidden row, from which the next frame is made.
    func keepHiddenRow(_ row: UnsafeBufferPointer<Float>) { speech?.keepHiddenRow(row) }

    /// Makes a frame of sound after the last step.
    ///
    /// - Returns: Whether the generation continues, with the frame's row.
    mutating func makeFrame(_ emit: (GenerationEvent) -> Void) throws(GenerationError) -> Bool {
        statistics.decodeSteps += 1
        try speech?.makeFrame(emit)
        finishReason = reasonToStop
        return finishReason == nil
    }

    /// The row that the model reads next, after a frame.
    var frameRow: [Float] { speech?.row ?? [] }

    /// Samples a token from the logits after the last one.
    ///
    /// - Returns: The token to run through the model next; `nil` when the generation has come to its end.
    mutating func next(
        _ logits: UnsafeMutableBufferPointer<Float>, _ emit: (GenerationEvent) -> Void
    ) throws(GenerationError) -> Token? {
        if firstToken == nil { markFirstToken() } else { statistics.decodeSteps += 1 }
        guard length < stop.maxTokens ?? .max else {
            finishReason = reasonOfMaximum
            return nil
        }
        if let token = logits.firstNotFinite { throw .notFinite(token: Token(token), logit: logits[token]) }
        distribution?.read(logits)
        guard let token = try choose(logits) else {
            finishReason = .endOfGeneration
            return nil
        }
        guard !stop.tokens.contains(token) else {
            finishReason = .endOfGeneration
            endToken = token
            endLogprob = distribution?.report(on: token)
            return nil
        }
        take(token, emit)
        finishReason = reasonToStop
        return finishReason == nil ? token : nil
    }

    /// The next token; `nil` if there is none, and the answer satisfies its constraint: only tokens that are excluded, such
    /// as those that end answers, could follow.
    private mutating func choose(_ logits: UnsafeMutableBufferPointer<Float>) throws(GenerationError) -> Token? {
        if let token = budget?.forcedToken(isThinking: router.stage == .thought) { return token }
        guard constraint?.restrict(logits, mask) ?? calls?.restrict(logits, mask) ?? true else {
            guard constraint?.hasFailed != true else { throw .unreadableCallInConstraint(after: tokens.count) }
            let judgesValues = constraint?.judgesValues ?? calls?.judgesValues ?? false
            throw .constraintNotSpellable(after: tokens.count, judgesValues: judgesValues)
        }
        do { return try sampler.sample(logits) } catch {
            if case .noCandidate = error, constraint?.isSatisfied == true { return nil }
            throw .sampler(error)
        }
    }

    /// Whether the answer is inside the constrained text, where no text counts as a mark.
    private var isInConstrainedText: Bool { constraint?.isInAnswer ?? false }

    private mutating func take(_ token: Token, _ emit: (GenerationEvent) -> Void) {
        sampler.accept(token)
        mask = nil
        let isSeparator = constraint?.isSeparator(token) ?? false
        constraint?.accept(token)
        calls?.accept(token, isThinking: router.stage == .thought)
        if isInConstrainedText { router.becomePlain(emit) } else if router.stage == .thought { countThought() }
        if let distribution {
            let report = distribution.report(on: token)
            logprobs.append(report)
            router.report(report)
        }
        tokens.append(token)
        speech?.take(token)
        if !isSeparator { router.append(token, emit) }
    }

    private mutating func countThought() {
        budget?.count()
        statistics.reasoningTokens += 1
    }

    private var reasonToStop: FinishReason? {
        if let string = router.stopString { return .stopString(string) }
        if stop.endsAfterCalls, router.hasCalls { return .endOfGeneration }
        // Only an end token could follow, so no pass is needed to draw it.
        if constraint?.isComplete == true { return .endOfGeneration }
        if speech?.isOver == true { return .endOfGeneration }
        if let maximum = stop.maxTokens, length >= maximum { return reasonOfMaximum }
        // The last token is not run through the model, but it counts: the next turn's prompt will contain it.
        return statistics.promptTokens + length >= limit ? .contextFull : nil
    }

    private var reasonOfMaximum: FinishReason {
        constraint?.isSatisfied == false ? .maxTokensInConstraint : .maxTokens
    }

    private mutating func markFirstToken() {
        let now = ContinuousClock.now
        firstToken = now
        statistics.timeToFirstToken = now - start
    }

    /// Emits what was held back and sums up.
    ///
    /// - Parameter promptLogprobs: Of the prompt's tokens, if they are wanted.
    mutating func finish(
        promptLogprobs: [TokenProbability]? = nil, _ emit: (GenerationEvent) -> Void
    ) -> GenerationResult {
        router.finish(emit)
        speech?.finish(emit)
        statistics.completionTokens = length
        if let firstToken { statistics.decodeDuration = ContinuousClock.now - firstToken }
        return GenerationResult(
            tokens: tokens, text: router.text, reasoning: router.reasoning,
            finishReason: finishReason ?? .cancelled, logprobs: distribution == nil ? nil : logprobs,
            endToken: endToken, endLogprob: endLogprob, promptLogprobs: promptLogprobs, spoken: speech?.answer,
            statistics: statistics)
    }
}

extension UnsafeMutableBufferPointer<Float> {
    /// The first element that is NaN or infinite. Four at a time: a row of logits takes a few microseconds.
    fileprivate var firstNotFinite: Int? {
        // x - x is 0 for every finite x, and NaN for all else; and a sum with NaN stays NaN.
        var sum = SIMD4<Float>.zero
        let whole = count / 4 * 4
        let bytes = UnsafeRawBufferPointer(self)
        for index in Swift.stride(from: 0, to: whole, by: 4) {
            let lanes = bytes.loadUnaligned(fromByteOffset: index &* MemoryLayout<Float>.stride, as: SIMD4<Float>.self)
            sum += lanes - lanes
        }
        if sum == .zero, self[whole...].allSatisfy(\.isFinite) { return nil }
        return firstIndex { !$0.isFinite }
    }
}
