/// The options in the number types of older versions of the API. A protocol extension may declare a property with the
/// same name as a class's own property; the compiler chooses the one whose type fits. So both
/// `options.maxOutputTokens = UInt32(100)` and `options.maxOutputTokens = 100` compile.
public protocol GenerationOptionsSpellings {}

extension GenerationOptions: GenerationOptionsSpellings {}

extension GenerationOptionsSpellings where Self == GenerationOptions {
    /// Creates options with the argument order of versions 0.9.4 and 0.10, and a seed in the type of version 0.10, of
    /// which the bits are used.
    @_disfavoredOverload
    public init(
        temperature: Float? = nil, topP: Float? = nil, minP: Float? = nil, repetitionPenalty: Float? = nil,
        topK: Int32? = nil, rngSeed: Int64?, jsonSchemaConstraint: String? = nil,
        functionCallParser: (any LeapFunctionCallParserProtocol)? = GenerationOptions.defaultParser,
        injectSchemaIntoPrompt: Bool = true, resetHistory: Bool = true, sequenceLength: UInt32? = nil,
        maxOutputTokens: UInt32? = nil, maxTokens: Int32? = nil, inlineThinkingTags: Bool = false,
        enableThinking: Bool? = nil, cacheControl: CacheControl? = nil, extras: String? = nil
    ) {
        self.init(
            temperature: temperature, topP: topP, minP: minP, repetitionPenalty: repetitionPenalty, topK: topK,
            rngSeed: rngSeed.map { UInt64(bitPattern: $0) }, jsonSchemaConstraint: jsonSchemaConstraint,
            functionCallParser: functionCallParser, injectSchemaIntoPrompt: injectSchemaIntoPrompt,
            resetHistory: resetHistory, sequenceLength: sequenceLength, maxOutputTokens: maxOutputTokens,
            maxTokens: maxTokens, inlineThinkingTags: inlineThinkingTags, enableThinking: enableThinking,
            cacheControl: cacheControl, extras: extras)
    }

    /// ``GenerationOptions/maxOutputTokens`` in the type of versions up to 0.9.
    @_disfavoredOverload
    public var maxOutputTokens: UInt32? {
        get { self.values.maxOutputTokens.map { UInt32(clamping: $0) } }
        nonmutating set { self[\.maxOutputTokens] = newValue.map { Int($0) } }
    }

    /// ``GenerationOptions/sequenceLength`` in the type of versions up to 0.9.
    @_disfavoredOverload
    public var sequenceLength: UInt32? {
        get { self.values.sequenceLength.map { UInt32(clamping: $0) } }
        nonmutating set { self[\.sequenceLength] = newValue.map { Int($0) } }
    }

    /// ``GenerationOptions/enableThinking`` in the type of versions up to 0.9; `nil` reads as `false`.
    @_disfavoredOverload
    public var enableThinking: Bool {
        get { self.values.enableThinking ?? false }
        nonmutating set { self[\.enableThinking] = .some(newValue) }
    }

    /// ``GenerationOptions/topK`` in the type of version 0.10.
    @_disfavoredOverload
    public var topK: Int32? {
        get { self.values.topK.map { Int32(clamping: $0) } }
        nonmutating set { self[\.topK] = newValue.map { Int($0) } }
    }

    /// ``GenerationOptions/maxTokens`` in the type of version 0.10.
    @_disfavoredOverload
    public var maxTokens: Int32? {
        get { self.values.maxTokens.map { Int32(clamping: $0) } }
        nonmutating set { self[\.maxTokens] = newValue.map { Int($0) } }
    }

    /// ``GenerationOptions/rngSeed`` in the type of version 0.10, with the same bits.
    @_disfavoredOverload
    public var rngSeed: Int64? {
        get { self.values.rngSeed.map { Int64(bitPattern: $0) } }
        nonmutating set { self[\.rngSeed] = newValue.map { UInt64(bitPattern: $0) } }
    }
}
