import LeapChat
import LeapConstraints
import LeapGeneration
import LeapTokenizer

/// From messages and options to what the generator is asked for.
extension LoadedModel {
    /// What to generate for a history.
    ///
    /// - Parameter limit: Tokens of the context, of which the answer needs at least one.
    /// - Throws: ``LeapError/promptExceedContextLengthFailure(_:_:)`` beyond the limit.
    func request(
        _ history: [ChatMessage], functions: [LeapFunction] = [], _ options: GenerationOptions.Values,
        limit: Int = .max
    ) throws(LeapError) -> GenerationRequest {
        let constraint = try constraint(options)
        var messages = history
        if let schema = options.jsonSchemaConstraint, options.injectSchemaIntoPrompt {
            messages = SchemaPrompt.inject(schema, into: history)
        }
        let rendered: ChatPrompt.Rendered
        do {
            rendered = try prompt.render(
                messages, functions: functions, parser: options.functionCallParser,
                enableThinking: options.enableThinking, variables: options.templateVariables, limit: limit)
        } catch { throw .generating(error) }
        var request = try request(
            tokens: rendered.tokens,
            routing: options.inlineThinkingTags
                ? .inline(startsInReasoning: rendered.startsInReasoning)
                : .split(startsInReasoning: rendered.startsInReasoning),
            options)
        request.constraint = constraint
        request.mayCall = !functions.isEmpty
        request.mayThink = options.tellsToThink != false && prompt.mentionsThoughts
        return request
    }

    /// What to generate for a text that is continued as it is.
    func request(continuing text: String, _ options: GenerationOptions.Values) throws(LeapError) -> GenerationRequest {
        let tokens: [Token]
        do { tokens = try prompt.tokens(continuing: text, limit: contextLimit(options)) } catch {
            throw .generating(error)
        }
        var request = try request(tokens: tokens, routing: .raw, options)
        request.constraint = try constraint(options)
        return request
    }

    /// The most tokens of prompt and answer together; 0 where the options ask for less.
    func contextLimit(_ options: GenerationOptions.Values) -> Int {
        max(0, min(options.sequenceLength ?? contextLength, contextLength))
    }

    private func request(
        tokens: [Token], routing: OutputRouting, _ options: GenerationOptions.Values
    ) throws(LeapError) -> GenerationRequest {
        try check(options)
        let limits = [options.maxOutputTokens, options.maxTokens].compactMap { $0 }
        var request = GenerationRequest(
            prompt: Prompt(tokens), sampling: sampling.overridden(by: options, breakers: breakers),
            seed: options.rngSeed ?? UInt64.random(in: .min ... .max),
            stop: StopCondition(
                tokens: endOfGeneration, strings: options.stopStrings, maxTokens: limits.min(),
                sequenceLength: options.sequenceLength),
            routing: routing, callMarks: options.functionCallParser?.marks)
        request.thinkingBudget = options.thinkingBudget
        request.topLogprobs = options.topLogprobs
        request.usesCache = options.cacheControl?.policy != .nocache
        request.speculates = options.speculates
        return request
    }

    /// Refuses what has no meaning for this model.
    private func check(_ options: GenerationOptions.Values) throws(LeapError) {
        for token in options.logitBias.keys where !(0..<tokenizer.vocabularySize).contains(token) {
            throw .generationFailure(
                "the logit bias names token \(token), but the vocabulary has the tokens 0 to "
                    + "\(tokenizer.vocabularySize - 1)", nil)
        }
        for (name, value) in [
            ("topLogprobs", options.topLogprobs), ("thinkingBudget", options.thinkingBudget),
            ("maxTokens", options.maxTokens), ("maxOutputTokens", options.maxOutputTokens),
            ("penaltyWindow", options.penaltyWindow),
        ] {
            guard let value, value < 0 else { continue }
            throw .generationFailure("\(name) must be 0 or more, but is \(value)", nil)
        }
    }

    /// The constraint that the options ask for.
    private func constraint(_ options: GenerationOptions.Values) throws(LeapError) -> Constraint? {
        let sources: [ConstraintCache.Source] = [
            options.jsonSchemaConstraint.map { .jsonSchema($0) }, options.regexConstraint.map { .regex($0) },
            options.grammarConstraint.map { .grammar($0) },
        ].compactMap(\.self)
        guard let source = sources.first else { return nil }
        guard sources.count == 1 else {
            throw .generationFailure(
                "an answer has one constraint: leave only one of jsonSchemaConstraint, regexConstraint and "
                    + "grammarConstraint", nil)
        }
        do { return try constraints.constraint(source) } catch {
            throw .generationFailure("the constraint is refused: \(error)", ConstraintRefusal(error))
        }
    }
}

extension GenerationOptions.Values {
    /// What the chat template is told about thinking, by its variables or, where they say nothing, by
    /// ``enableThinking``; `nil` where it is told nothing.
    fileprivate var tellsToThink: Bool? {
        for name in ChatPrompt.thinkingVariables {
            if case .bool(let thinks)? = templateVariables[name] { return thinks }
        }
        return enableThinking
    }
}

extension ConstraintRefusal {
    init(_ error: ConstraintError) {
        switch error {
        case .schema(let pointer, let keyword, _):
            self.init(pointer: pointer, keyword: keyword, reason: error.description)
        case .regex(let position, _):
            self.init(pointer: String(position + 1), keyword: "", reason: error.description)
        case .grammar(let line, let column, _):
            self.init(pointer: "\(line):\(column)", keyword: "", reason: error.description)
        case .invalidJSON, .tooLarge, .unsatisfiable:
            self.init(pointer: "", keyword: "", reason: error.description)
        }
    }
}
