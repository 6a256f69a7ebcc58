public import LeapJSON

/// Methods that return copies with one value changed.
extension GenerationOptions {
    private func with(_ change: (inout Values) -> Void) -> GenerationOptions {
        var values = values
        change(&values)
        return GenerationOptions(values)
    }

    /// Returns a copy with another ``temperature``.
    public func with(temperature: Float) -> GenerationOptions { with { $0.temperature = temperature } }

    /// Returns a copy with another ``topP``.
    public func with(topP: Float) -> GenerationOptions { with { $0.topP = topP } }

    /// Returns a copy with another ``topK``.
    public func with(topK: some BinaryInteger) -> GenerationOptions { with { $0.topK = Int(clamping: topK) } }

    /// Returns a copy with another ``minP``.
    public func with(minP: Float) -> GenerationOptions { with { $0.minP = minP } }

    /// Returns a copy with another ``typicalP``.
    public func with(typicalP: Float) -> GenerationOptions { with { $0.typicalP = typicalP } }

    /// Returns a copy with another ``topNSigma``.
    public func with(topNSigma: Float) -> GenerationOptions { with { $0.topNSigma = topNSigma } }

    /// Returns a copy with another ``repetitionPenalty``.
    public func with(repetitionPenalty: Float) -> GenerationOptions {
        with { $0.repetitionPenalty = repetitionPenalty }
    }

    /// Returns a copy with another ``frequencyPenalty``.
    public func with(frequencyPenalty: Float) -> GenerationOptions { with { $0.frequencyPenalty = frequencyPenalty } }

    /// Returns a copy with another ``presencePenalty``.
    public func with(presencePenalty: Float) -> GenerationOptions { with { $0.presencePenalty = presencePenalty } }

    /// Returns a copy with another ``penaltyWindow``.
    public func with(penaltyWindow: Int?) -> GenerationOptions { with { $0.penaltyWindow = penaltyWindow } }

    /// Returns a copy with another ``dry``.
    public func with(dry: DRYSampling?) -> GenerationOptions { with { $0.dry = dry } }

    /// Returns a copy with another ``xtc``.
    public func with(xtc: XTCSampling?) -> GenerationOptions { with { $0.xtc = xtc } }

    /// Returns a copy with another ``mirostat``.
    public func with(mirostat: MirostatSampling?) -> GenerationOptions { with { $0.mirostat = mirostat } }

    /// Returns a copy with another ``logitBias``.
    public func with(logitBias: [Int: Float]) -> GenerationOptions { with { $0.logitBias = logitBias } }

    /// Returns a copy with another ``topLogprobs``.
    public func with(topLogprobs: Int?) -> GenerationOptions { with { $0.topLogprobs = topLogprobs } }

    /// Returns a copy with another ``rngSeed``; a negative seed is reinterpreted as unsigned, with the same bits.
    public func with(rngSeed: some BinaryInteger) -> GenerationOptions {
        with { $0.rngSeed = UInt64(truncatingIfNeeded: rngSeed) }
    }

    /// Returns a copy with other ``templateVariables``.
    public func with(templateVariables: [String: JSONValue]) -> GenerationOptions {
        with { $0.templateVariables = templateVariables }
    }

    /// Returns a copy with another ``enableThinking``.
    public func with(enableThinking: Bool) -> GenerationOptions { with { $0.enableThinking = enableThinking } }

    /// Returns a copy with another ``inlineThinkingTags``.
    public func with(inlineThinkingTags: Bool) -> GenerationOptions {
        with { $0.inlineThinkingTags = inlineThinkingTags }
    }

    /// Returns a copy with another ``thinkingBudget``.
    public func with(thinkingBudget: Int?) -> GenerationOptions { with { $0.thinkingBudget = thinkingBudget } }

    /// Returns a copy with another ``maxOutputTokens``.
    public func with(maxOutputTokens: some BinaryInteger) -> GenerationOptions {
        with { $0.maxOutputTokens = Int(clamping: maxOutputTokens) }
    }

    /// Returns a copy with another ``maxTokens``.
    public func with(maxTokens: some BinaryInteger) -> GenerationOptions {
        with { $0.maxTokens = Int(clamping: maxTokens) }
    }

    /// Returns a copy with another ``sequenceLength``.
    public func with(sequenceLength: some BinaryInteger) -> GenerationOptions {
        with { $0.sequenceLength = Int(clamping: sequenceLength) }
    }

    /// Returns a copy with other ``stopStrings``.
    public func with(stopStrings: [String]) -> GenerationOptions { with { $0.stopStrings = stopStrings } }

    /// Returns a copy with another ``jsonSchemaConstraint``.
    public func with(jsonSchema: String) -> GenerationOptions { with { $0.jsonSchemaConstraint = jsonSchema } }

    /// Returns a copy with another ``jsonSchemaConstraint``.
    public func with(jsonSchemaConstraint: String) -> GenerationOptions { with(jsonSchema: jsonSchemaConstraint) }

    /// Returns a copy with another ``permitsUndeclaredProperties``.
    public func with(permitsUndeclaredProperties: Bool) -> GenerationOptions {
        with { $0.permitsUndeclaredProperties = permitsUndeclaredProperties }
    }

    /// Returns a copy with another ``injectSchemaIntoPrompt``.
    public func with(injectSchemaIntoPrompt: Bool) -> GenerationOptions {
        with { $0.injectSchemaIntoPrompt = injectSchemaIntoPrompt }
    }

    /// Returns a copy with another ``regexConstraint``.
    public func with(regexConstraint: String?) -> GenerationOptions { with { $0.regexConstraint = regexConstraint } }

    /// Returns a copy with another ``grammarConstraint``.
    public func with(grammarConstraint: String?) -> GenerationOptions {
        with { $0.grammarConstraint = grammarConstraint }
    }

    /// Returns a copy with another ``functionCallParser``.
    public func with(functionCallParser: (any LeapFunctionCallParserProtocol)?) -> GenerationOptions {
        with { $0.functionCallParser = functionCallParser }
    }

    /// Returns a copy with another ``resetHistory``.
    public func with(resetHistory: Bool) -> GenerationOptions { with { $0.resetHistory = resetHistory } }

    /// Returns a copy with another ``cacheControl``.
    public func with(cacheControl: CacheControl?) -> GenerationOptions { with { $0.cacheControl = cacheControl } }

    /// Returns a copy with other ``extras``.
    public func with(extras: String?) -> GenerationOptions { with { $0.extras = extras } }

    /// Returns a copy with another ``contextPolicy``.
    public func with(contextPolicy: ContextPolicy) -> GenerationOptions { with { $0.contextPolicy = contextPolicy } }

    /// Returns a copy with another ``onPromptProgress``.
    public func with(onPromptProgress: (@Sendable (PromptProgress) -> Void)?) -> GenerationOptions {
        with { $0.onPromptProgress = onPromptProgress }
    }

    /// Returns a copy with another ``speculates``.
    public func with(speculates: Bool) -> GenerationOptions { with { $0.speculates = speculates } }

    /// Returns a copy with other ``adapterScales``.
    public func with(adapterScales: [Float]?) -> GenerationOptions { with { $0.adapterScales = adapterScales } }
}
