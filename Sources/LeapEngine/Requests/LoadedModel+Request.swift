import LeapChat
import LeapConstraints
public import LeapGeneration
public import LeapTokenizer

/// Turns messages and options into requests to the scheduler.
extension LoadedModel {
    /// What to generate for a conversation.
    ///
    /// - Parameter limit: Tokens of the context, of which the answer needs at least one.
    /// - Throws: `GenerationError` beyond the limit, `TemplateError` if the template refuses the messages, or
    ///   ``EngineError``.
    public func request(_ chat: ChatRequest, limit: Int = .max) throws -> GenerationRequest {
        try request(chat, showing: chat.messages, limit: limit)
    }

    /// The same with other messages.
    func request(_ chat: ChatRequest, showing messages: [Message], limit: Int) throws -> GenerationRequest {
        let required = chat.options.requiredCalls.map {
            CallPlan($0, chat.tools, prompt.dialect(chat.options.calls), tokenizer)
        }
        let constraint = try required.map(constraint) ?? constraint(chat.options.constraint)
        var messages = messages
        if case .jsonSchema(let schema, _, _) = chat.options.constraint, chat.options.showsSchema {
            messages = SchemaPrompt.inject(schema, into: messages)
        }
        let rendered = try prompt.render(messages, of: chat, limit: limit)
        var reading = reading(chat)
        if let required { reading.dialect = required.dialect }
        reading.header = reading.dialect.header(ofWholePrompt: rendered.text)
        let startsInReasoning = reading.dialect.startsInThought(ofWholePrompt: rendered.text)
        var request = try request(
            rendered.prompt,
            routing: chat.options.inlinesThoughts ?? false
                ? .inline(startsInReasoning: startsInReasoning) : .split(startsInReasoning: startsInReasoning),
            chat.options)
        request.constraint = constraint
        request.constrainsCalls = required != nil
        if required == nil, chat.tools.contains(where: \.isStrict) {
            request.callConstraint = try CallPlan(ofBlock: chat.tools, reading.dialect, tokenizer).map(self.constraint)
        }
        request.mayCall = !chat.tools.isEmpty
        request.mayThink = chat.requestsThinking != false && prompt.mentionsThoughts
        request.reading = reading
        try speak(messages, chat.options, &request)
        return request
    }

    /// Adds speech to the request; for an answer of text alone, forbids the token that begins speech.
    private func speak(
        _ messages: [Message], _ options: AnswerOptions, _ request: inout GenerationRequest
    ) throws(EngineError) {
        let isConstrained = options.constraint != nil || options.requiredCalls != nil
        guard options.speech != .wanted || speechOutput != nil && !isConstrained else {
            throw speechOutput == nil ? .hasNoVoice : .speaksNoConstraint
        }
        if let speechOutput, options.speech != .never, !isConstrained {
            request.speech = speechOutput.request(messages, options.speechOptions)
            // Spoken text is decoded greedily, unless the request sets a temperature.
            if options.sampling.temperature == nil { request.sampling.temperature = 0 }
        } else if let marks = SpeechMarks(tokenizer) {
            request.sampling.logitBias[marks.start] = -.infinity
            request.stop.tokens.insert(marks.textEnd)
        }
    }

    /// The prompt of a conversation, as the chat template writes it.
    ///
    /// - Throws: `TemplateError` if the template refuses the messages, or ``EngineError``.
    public func text(of chat: ChatRequest) throws -> String { try prompt.render(chat.messages, of: chat).text }

    /// How the answer to a conversation is read. Where nothing can be called, no text waits for the end of a call.
    private func reading(_ chat: ChatRequest) -> AnswerReading {
        let mayCall = !chat.tools.isEmpty || chat.options.readsUnknownCalls
        return AnswerReading(
            prompt.dialect(mayCall ? chat.options.calls : .none), functions: chat.tools.map(\.declaration),
            readsUnknown: chat.options.readsUnknownCalls)
    }

    /// What to generate for a text that is continued as it is.
    ///
    /// - Throws: `GenerationError` if it leaves no room for an answer, or ``EngineError``.
    public func request(continuing text: String, _ options: AnswerOptions) throws -> GenerationRequest {
        let tokens = try prompt.tokens(continuing: text, limit: contextLimit(options))
        var request = try request(Prompt(tokens), routing: .raw, options)
        request.constraint = try constraint(options.constraint)
        return request
    }

    /// What to generate between two texts, by a model that was trained to fill gaps.
    ///
    /// - Parameters:
    ///   - prefix: What comes before the gap.
    ///   - suffix: What comes after it.
    ///   - options: How the answer is written.
    /// - Throws: ``EngineError/fillsNoGaps``, or what ``request(continuing:_:)`` throws.
    public func request(
        filling prefix: String, before suffix: String, _ options: AnswerOptions
    ) throws -> GenerationRequest {
        try request(
            continuing: prompt.tokens(infilling: prefix, suffix: suffix, limit: contextLimit(options)), options)
    }

    /// What to generate for tokens that are continued as they are.
    ///
    /// - Throws: ``EngineError`` for options without meaning, or a constraint that cannot be enforced.
    public func request(continuing tokens: [Token], _ options: AnswerOptions) throws -> GenerationRequest {
        var request = try request(Prompt(tokens), routing: .raw, options)
        request.constraint = try constraint(options.constraint)
        return request
    }

    /// The most tokens of prompt and answer together; 0 if the options ask for less.
    public func contextLimit(_ options: AnswerOptions) -> Int {
        max(0, min(options.contextLength ?? contextLength, contextLength))
    }

    private func request(
        _ prompt: Prompt, routing: OutputRouting, _ options: AnswerOptions
    ) throws(EngineError) -> GenerationRequest {
        try check(options)
        var prompt = prompt
        prompt.adapterScales = try adapterScales(options)
        var request = GenerationRequest(
            prompt: prompt, sampling: sampling(options.sampling),
            seed: options.seed ?? UInt64.random(in: .min ... .max),
            stop: StopCondition(
                tokens: tokenizer.endOfGeneration, strings: options.stopStrings, maxTokens: options.maxTokens,
                sequenceLength: options.contextLength),
            routing: routing)
        if options.ignoresEnd {
            for token in tokenizer.endOfGeneration { request.sampling.logitBias[token] = -.infinity }
        }
        request.thinkingBudget = options.thinkingBudget
        request.topLogprobs = options.topLogprobs
        request.scoresPrompt = options.scoresPrompt
        request.usesCache = options.usesCache
        request.isBackground = options.isBackground
        request.speculates = options.speculates
        return request
    }

    /// Refuses what has no meaning for this model.
    private func check(_ options: AnswerOptions) throws(EngineError) {
        let tokens = 0..<tokenizer.vocabularySize
        if let stranger = options.sampling.logitBias.keys.first(where: { !tokens.contains($0) }) {
            throw .biasOutOfRange(token: stranger, vocabularySize: tokens.count)
        }
        try EngineError.refuseNegative([
            "topLogprobs": options.topLogprobs, "thinkingBudget": options.thinkingBudget,
            "maxTokens": options.maxTokens, "penaltyWindow": options.sampling.penaltyWindow,
        ])
    }

    private func constraint(_ plan: CallPlan) throws(EngineError) -> Constraint {
        do { return try constraints.constraint(plan.source) } catch { throw .parameters(error) }
    }

    private func constraint(_ source: ConstraintSource?) throws(EngineError) -> Constraint? {
        guard let source else { return nil }
        do { return try constraints.constraint(source) } catch { throw .constraint(error) }
    }
}
