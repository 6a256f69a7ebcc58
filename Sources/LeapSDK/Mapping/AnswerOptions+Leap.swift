import LeapEngine

extension AnswerOptions {
    /// Converts the options of a generation to those of the engine.
    ///
    /// - Parameter sampling: The parameters given at load time, which the options override.
    /// - Throws: `EngineError` for invalid values, or ``LeapError`` for more than one constraint.
    init(_ options: GenerationOptions.Values, sampling: SamplingOverrides) throws {
        try EngineError.refuseNegative([
            "maxOutputTokens": options.maxOutputTokens, "maxTokens": options.maxTokens,
            "sequenceLength": options.sequenceLength,
        ])
        self.init(sampling: SamplingOverrides(options).over(sampling))
        seed = options.rngSeed
        maxTokens = [options.maxOutputTokens, options.maxTokens].compactMap { $0 }.min()
        contextLength = options.sequenceLength
        stopStrings = options.stopStrings
        constraint = try options.constraint
        showsSchema = options.injectSchemaIntoPrompt
        calls = CallReading(options)
        // Calls of unregistered functions reach the app, which can answer the model that there is no such function.
        readsUnknownCalls = true
        thinkingBudget = options.thinkingBudget
        inlinesThoughts = options.inlineThinkingTags
        topLogprobs = options.topLogprobs
        usesCache = options.cacheControl?.policy != .nocache
        speculates = options.speculates
        adapterScales = options.adapterScales
        if case .dropOldestTurns = options.contextPolicy { overflow = .dropsOldestTurns }
    }
}

extension GenerationOptions.Values {
    /// The constraint in the options.
    fileprivate var constraint: ConstraintSource? {
        get throws(LeapError) {
            let sources: [ConstraintSource] = [
                jsonSchemaConstraint.map { .jsonSchema($0, permitsUndeclared: permitsUndeclaredProperties) },
                regexConstraint.map { .regex($0) },
                grammarConstraint.map { .grammar($0) },
            ].compactMap(\.self)
            guard sources.count <= 1 else {
                throw .generationFailure(
                    "an answer can have only one constraint: set only one of jsonSchemaConstraint, regexConstraint and "
                        + "grammarConstraint", nil)
            }
            return sources.first
        }
    }
}
