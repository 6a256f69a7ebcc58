public import LeapJSON

/// Copies with one value changed.
extension GenerationOptions {
    private func with(_ change: (inout Values) -> Void) -> GenerationOptions {
        var values = values
        change(&values)
        return GenerationOptions(values)
    }

    /// A copy with another temperature.
    public func with(temperature: Float) -> GenerationOptions { with { $0.temperature = temperature } }

    /// A copy with another ``topP``.
    public func with(topP: Float) -> GenerationOptions { with { $0.topP = topP } }

    /// A copy with another ``topK``.
    public func with(topK: some BinaryInteger) -> GenerationOptions { with { $0.topK = Int(clamping: topK) } }

    /// A copy with another ``minP``.
    public func with(minP: Float) -> GenerationOptions { with { $0.minP = minP } }

    /// A copy with another ``typicalP``.
    public func with(typicalP: Float) -> GenerationOptions { with { $0.typicalP = typicalP } }

    /// A copy with another ``topNSigma``.
    public func with(topNSigma: Float) -> GenerationOptions { with { $0.topNSigma = topNSigma } }

    /// A copy with another ``repetitionPenalty``.
    public func with(repetitionPenalty: Float) -> GenerationOptions {
        with { $0.repetitionPenalty = repetitionPenalty }
    }

    /// A copy with another ``frequencyPenalty``.
    public func with(frequencyPenalty: Float) -> GenerationOptions { with { $0.frequencyPenalty = frequencyPenalty } }

    /// A copy with another ``presencePenalty``.
    public func with(presencePenalty: Float) -> GenerationOptions { with { $0.presencePenalty = presencePenalty } }

    /// A copy with another ``penaltyWindow``.
    public func with(penaltyWindow: Int?) -> GenerationOptions { with { $0.penaltyWindow = penaltyWindow } }

    /// A copy with another ``dry``.
    public func with(dry: DRYSampling?) -> GenerationOptions { with { $0.dry = dry } }

    /// A copy with another ``xtc``.
    public func with(xtc: XTCSampling?) -> GenerationOptions { with { $0.xtc = xtc } }

    /// A copy with another ``mirostat``.
    public func with(mirostat: MirostatSampling?) -> GenerationOptions { with { $0.mirostat = mirostat } }

    /// A copy with another ``logitBias``.
    public func with(logitBias: [Int: Float]) -> GenerationOptions { with { $0.logitBias = logitBias } }

    /// A copy with another ``topLogprobs``.
    public func with(topLogprobs: Int?) -> GenerationOptions { with { $0.topLogprobs = topLogprobs } }

    /// A copy with another ``rngSeed``; a negative one counts by its bits.
    public func with(rngSeed: some BinaryInteger) -> GenerationOptions {
        with { $0.rngSeed = UInt64(truncatingIfNeeded: rngSeed) }
    }

    /// A copy with other ``templateVariables``.
    public func with(templateVariables: [String: JSONValue]) -> GenerationOptions {
        with { $0.templateVariables = templateVariables }
    }

    /// A copy with another ``enableThinking``.
    public func with(enableThinking: Bool) -> GenerationOptions { with { $0.enableThinking = enableThinking } }

    /// A copy with another ``inlineThinkingTags``.
    public func with(inlineThinkingTags: Bool) -> GenerationOptions {
        with { $0.inlineThinkingTags = inlineThinkingTags }
    }

    /// A copy with another ``thinkingBudget``.
    public func with(thinkingBudget: Int?) -> GenerationOptions { with { $0.thinkingBudget = thinkingBudget } }

    /// A copy with another ``maxOutputTokens``.
    public func with(maxOutputTokens: some BinaryInteger) -> GenerationOptions {
        with { $0.maxOutputTokens = Int(clamping: maxOutputTokens) }
    }

    /// A copy with another ``maxTokens``.
    public func with(maxTokens: some BinaryInteger) -> GenerationOptions {
        with { $0.maxTokens = Int(clamping: maxTokens) }
    }

    /// A copy with another ``sequenceLength``.
    public func with(sequenceLength: some BinaryInteger) -> GenerationOptions {
        with { $0.sequenceLength = Int(clamping: sequenceLength) }
    }

    /// A copy with other ``stopStrings``.
    public func with(stopStrings: [String]) -> GenerationOptions { with { $0.stopStrings = stopStrings } }

    /// A copy with another ``jsonSchemaConstraint``.
    public func with(jsonSchema: String) -> GenerationOptions { with { $0.jsonSchemaConstraint = jsonSchema } }

    /// A copy with another ``jsonSchemaConstraint``.
    public func with(jsonSchemaConstraint: String) -> GenerationOptions { with(jsonSchema: jsonSchemaConstraint) }

    /// A copy with another ``permitsUndeclaredProperties``.
    public func with(permitsUndeclaredProperties: Bool) -> GenerationOptions {
        with { $0.permitsUndeclaredProperties = permitsUndeclaredProperties }
    }

    /// A copy with another ``injectSchemaIntoPrompt``.
    public func with(injectSchemaIntoPrompt: Bool) -> GenerationOptions {
        with { $0.injectSchemaIntoPrompt = injectSchemaIntoPrompt }
    }

    /// A copy with another ``regexConstraint``.
    public func with(regexConstraint: String?) -> GenerationOptions { with { $0.regexConstraint = regexConstraint } }

    /// A copy with another ``grammarConstraint``.
    public func with(grammarConstraint: String?) -> GenerationOptions {
        with { $0.grammarConstraint = grammarConstraint }
    }

    /// A copy with another ``functionCallParser``.
    public func with(functionCallParser: (any LeapFunctionCallParserProtocol)?) -> GenerationOptions {
        with { $0.functionCallParser = functionCallParser }
    }

    /// A copy with another ``resetHistory``.
    public func with(resetHistory: Bool) -> GenerationOptions { with { $0.resetHistory = resetHistory } }

    /// A copy with another ``cacheControl``.
    public func with(cacheControl: CacheControl?) -> GenerationOptions { with { $0.cacheControl = cacheControl } }

    /// A copy with other ``extras``.
    public func with(extras: String?) -> GenerationOptions { with { $0.extras = extras } }

    /// A copy with another ``contextPolicy``.
    public func with(contextPolicy: ContextPolicy) -> GenerationOptions { with { $0.contextPolicy = contextPolicy } }

    /// A copy with another ``onPromptProgress``.
    public func with(onPromptProgress: (@Sendable (PromptProgress) -> Void)?) -> GenerationOptions {
        with { $0.onPromptProgress = onPromptProgress }
    }

    /// A copy with another ``speculates``.
    public func with(speculates: Bool) -> GenerationOptions { with { $0.speculates = speculates } }

    /// A copy with other ``adapterScales``.
    public func with(adapterScales: [Float]?) -> GenerationOptions { with { $0.adapterScales = adapterScales } }
}
