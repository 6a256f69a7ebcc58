/// Swift requires arguments in the order of the declaration, and the API has had two orders.
extension GenerationOptions {
    /// Creates options; omitted values use the model's defaults.
    public convenience init(
        temperature: Float? = nil, topP: Float? = nil, topK: Int? = nil, minP: Float? = nil,
        repetitionPenalty: Float? = nil, rngSeed: UInt64? = nil, enableThinking: Bool? = nil,
        resetHistory: Bool = true, maxOutputTokens: Int? = nil, sequenceLength: Int? = nil,
        cacheControl: CacheControl? = nil, jsonSchemaConstraint: String? = nil,
        functionCallParser: (any LeapFunctionCallParserProtocol)? = GenerationOptions.defaultParser,
        maxTokens: Int? = nil, inlineThinkingTags: Bool = false, injectSchemaIntoPrompt: Bool = true,
        extras: String? = nil
    ) {
        var values = Values()
        values.temperature = temperature
        values.topP = topP
        values.topK = topK
        values.minP = minP
        values.repetitionPenalty = repetitionPenalty
        values.rngSeed = rngSeed
        values.enableThinking = enableThinking
        values.resetHistory = resetHistory
        values.maxOutputTokens = maxOutputTokens
        values.sequenceLength = sequenceLength
        values.cacheControl = cacheControl
        values.jsonSchemaConstraint = jsonSchemaConstraint
        values.functionCallParser = functionCallParser
        values.maxTokens = maxTokens
        values.inlineThinkingTags = inlineThinkingTags
        values.injectSchemaIntoPrompt = injectSchemaIntoPrompt
        values.extras = extras
        self.init(values)
    }

    /// Creates options with the argument order and integer types of versions 0.9.4 and 0.10 of the API; the order is
    /// the union of both.
    @_disfavoredOverload
    public convenience init(
        temperature: Float? = nil, topP: Float? = nil, minP: Float? = nil, repetitionPenalty: Float? = nil,
        topK: Int32? = nil, rngSeed: UInt64? = nil, jsonSchemaConstraint: String? = nil,
        functionCallParser: (any LeapFunctionCallParserProtocol)? = GenerationOptions.defaultParser,
        injectSchemaIntoPrompt: Bool = true, resetHistory: Bool = true, sequenceLength: UInt32? = nil,
        maxOutputTokens: UInt32? = nil, maxTokens: Int32? = nil, inlineThinkingTags: Bool = false,
        enableThinking: Bool? = nil, cacheControl: CacheControl? = nil, extras: String? = nil
    ) {
        self.init(
            temperature: temperature, topP: topP, topK: topK.map(Int.init), minP: minP,
            repetitionPenalty: repetitionPenalty, rngSeed: rngSeed, enableThinking: enableThinking,
            resetHistory: resetHistory, maxOutputTokens: maxOutputTokens.map(Int.init),
            sequenceLength: sequenceLength.map(Int.init), cacheControl: cacheControl,
            jsonSchemaConstraint: jsonSchemaConstraint, functionCallParser: functionCallParser,
            maxTokens: maxTokens.map(Int.init), inlineThinkingTags: inlineThinkingTags,
            injectSchemaIntoPrompt: injectSchemaIntoPrompt, extras: extras)
    }

    /// The default parser, which parses the format of the model in use.
    public static var defaultParser: (any LeapFunctionCallParserProtocol)? { ModelFunctionCallParser() }

    /// Creates options by changing the defaults: `GenerationOptions.companion.build { $0.topK = 40 }`.
    public struct Companion: Sendable {
        /// Creates options by changing the defaults.
        public func build(buildAction: (GenerationOptions) throws -> Void) rethrows -> GenerationOptions {
            let options = GenerationOptions()
            try buildAction(options)
            return options
        }
    }

    /// Creates options by changing the defaults.
    public static let companion = Companion()
}
