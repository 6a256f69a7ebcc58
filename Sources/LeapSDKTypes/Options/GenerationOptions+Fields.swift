public import LeapJSON

// MARK: - Choosing tokens

extension GenerationOptions {
    /// The sampling temperature, which divides the logits: low values give predictable text, high values varied text. 0
    /// always takes the most likely token.
    public var temperature: Float? {
        get { self[\.temperature] }
        set { self[\.temperature] = newValue }
    }

    /// Top-p: samples from the smallest set of most likely tokens whose probabilities add up to at least this value; 1
    /// turns it off.
    public var topP: Float? {
        get { self[\.topP] }
        set { self[\.topP] = newValue }
    }

    /// Top-k: samples from this many of the most likely tokens; 0 turns it off.
    public var topK: Int? {
        get { self[\.topK] }
        set { self[\.topK] = newValue }
    }

    /// Min-p: samples from tokens whose probability is at least this fraction of the most likely token's; 0 turns it
    /// off.
    public var minP: Float? {
        get { self[\.minP] }
        set { self[\.minP] = newValue }
    }

    /// Typical-p: samples from the tokens whose information content is nearest to the expected one (the entropy), as
    /// many as it takes for their probabilities to add up to at least this value; 1 turns it off. Excludes surprising
    /// tokens, and where the model is unsure, obvious ones as well.
    public var typicalP: Float? {
        get { self[\.typicalP] }
        set { self[\.typicalP] = newValue }
    }

    /// Top-n-sigma: samples from tokens whose logits are at most this many standard deviations of all logits below the
    /// highest; 0 turns it off.
    public var topNSigma: Float? {
        get { self[\.topNSigma] }
        set { self[\.topNSigma] = newValue }
    }

    /// Makes tokens less likely that occur among the latest ones (see ``penaltyWindow``); 1 turns it off.
    public var repetitionPenalty: Float? {
        get { self[\.repetitionPenalty] }
        set { self[\.repetitionPenalty] = newValue }
    }

    /// Subtracted from a token's logit for each of its occurrences among the latest tokens; 0 turns it off.
    public var frequencyPenalty: Float? {
        get { self[\.frequencyPenalty] }
        set { self[\.frequencyPenalty] = newValue }
    }

    /// Subtracted from a token's logit if it occurs among the latest tokens; 0 turns it off.
    public var presencePenalty: Float? {
        get { self[\.presencePenalty] }
        set { self[\.presencePenalty] = newValue }
    }

    /// The number of latest tokens to which the three penalties refer: 64 by default; 0 turns the penalties off.
    public var penaltyWindow: Int? {
        get { self[\.penaltyWindow] }
        set { self[\.penaltyWindow] = newValue }
    }

    /// Penalises the continuation of repetitions; `nil` turns it off.
    public var dry: DRYSampling? {
        get { self[\.dry] }
        set { self[\.dry] = newValue }
    }

    /// Excludes the most likely tokens at random steps; `nil` turns it off.
    public var xtc: XTCSampling? {
        get { self[\.xtc] }
        set { self[\.xtc] = newValue }
    }

    /// Keeps the surprise of the text near a target and replaces all other filters; `nil` turns it off.
    public var mirostat: MirostatSampling? {
        get { self[\.mirostat] }
        set { self[\.mirostat] = newValue }
    }

    /// Values added to the logits of tokens, by token id.
    public var logitBias: [Int: Float] {
        get { self[\.logitBias] }
        set { self[\.logitBias] = newValue }
    }

    /// The number of most likely tokens to report with their probabilities at each step, besides the sampled one; `nil`
    /// reports nothing.
    public var topLogprobs: Int? {
        get { self[\.topLogprobs] }
        set { self[\.topLogprobs] = newValue }
    }

    /// The seed of the random numbers, for reproducible answers; `nil` uses a different one each time.
    public var rngSeed: UInt64? {
        get { self[\.rngSeed] }
        set { self[\.rngSeed] = newValue }
    }
}

// MARK: - The chat template

extension GenerationOptions {
    /// Additional variables of the chat template, by name; their effect depends on the template. They override those
    /// that other options set, such as ``enableThinking``. The template's own variables, such as `messages`, are
    /// rejected.
    public var templateVariables: [String: JSONValue] {
        get { self[\.templateVariables] }
        set { self[\.templateVariables] = newValue }
    }
}

// MARK: - Thoughts

extension GenerationOptions {
    /// The chat template's variable `enable_thinking`; `nil` leaves it undefined. The output of a model that thinks
    /// anyway is still split into reasoning and text.
    public var enableThinking: Bool? {
        get { self[\.enableThinking] }
        set { self[\.enableThinking] = newValue }
    }

    /// Whether reasoning is delivered as `.chunk`, including its tags, instead of as `.reasoningChunk`.
    public var inlineThinkingTags: Bool {
        get { self[\.inlineThinkingTags] }
        set { self[\.inlineThinkingTags] = newValue }
    }

    /// The maximum number of reasoning tokens, after which the reasoning is ended and the answer begins; `nil` for no
    /// limit.
    public var thinkingBudget: Int? {
        get { self[\.thinkingBudget] }
        set { self[\.thinkingBudget] = newValue }
    }
}

// MARK: - Where to end

extension GenerationOptions {
    /// The maximum number of tokens to generate.
    public var maxOutputTokens: Int? {
        get { self[\.maxOutputTokens] }
        set { self[\.maxOutputTokens] = newValue }
    }

    /// Another name of ``maxOutputTokens``; if both are set, the smaller one applies.
    public var maxTokens: Int? {
        get { self[\.maxTokens] }
        set { self[\.maxTokens] = newValue }
    }

    /// The maximum number of tokens in prompt and answer together; values above the context size have no effect.
    public var sequenceLength: Int? {
        get { self[\.sequenceLength] }
        set { self[\.sequenceLength] = newValue }
    }

    /// Strings that end the answer; they are not part of it.
    public var stopStrings: [String] {
        get { self[\.stopStrings] }
        set { self[\.stopStrings] = newValue }
    }
}

// MARK: - Constraints

extension GenerationOptions {
    /// A JSON Schema that the answer must satisfy, as JSON text.
    public var jsonSchemaConstraint: String? {
        get { self[\.jsonSchemaConstraint] }
        set { self[\.jsonSchemaConstraint] = newValue }
    }

    /// Whether objects in ``jsonSchemaConstraint`` may have properties that the schema neither declares nor requires
    /// (`additionalProperties`, `patternProperties`, `propertyNames`). They follow the declared ones. JSON Schema
    /// permits them, but small models tend to write them without end. An extension of leap-swift.
    public var permitsUndeclaredProperties: Bool {
        get { self[\.permitsUndeclaredProperties] }
        set { self[\.permitsUndeclaredProperties] = newValue }
    }

    /// Whether the schema of ``jsonSchemaConstraint`` is added to the system message, unless it is already there.
    public var injectSchemaIntoPrompt: Bool {
        get { self[\.injectSchemaIntoPrompt] }
        set { self[\.injectSchemaIntoPrompt] = newValue }
    }

    /// A regular expression that the whole answer must match.
    public var regexConstraint: String? {
        get { self[\.regexConstraint] }
        set { self[\.regexConstraint] = newValue }
    }

    /// A grammar in llama.cpp's GBNF format that the whole answer must match.
    public var grammarConstraint: String? {
        get { self[\.grammarConstraint] }
        set { self[\.grammarConstraint] = newValue }
    }
}

// MARK: - Around the answer

extension GenerationOptions {
    /// The parser of function calls in the model's text; `nil` delivers them as plain text, as `.chunk`.
    public var functionCallParser: (any LeapFunctionCallParserProtocol)? {
        get { values.functionCallParser }
        set { self[\.parser] = ParserReference(newValue) }
    }

    /// Ignored: an answer depends on the conversation's history alone, so there is no state to reset.
    public var resetHistory: Bool {
        get { self[\.resetHistory] }
        set { self[\.resetHistory] = newValue }
    }

    /// Whether the prefix cache is used; see ``CacheControl``.
    public var cacheControl: CacheControl? {
        get { self[\.cacheControl] }
        set { self[\.cacheControl] = newValue }
    }

    /// What to do when the conversation no longer fits into the context.
    public var contextPolicy: ContextPolicy {
        get { self[\.contextPolicy] }
        set { self[\.contextPolicy] = newValue }
    }

    /// Called on the engine's thread while the prompt is being processed: at the start, with the tokens already in the
    /// cache, then after each batch of up to 256 tokens.
    public var onPromptProgress: (@Sendable (PromptProgress) -> Void)? {
        get { self[\.onPromptProgress] }
        set { self[\.onPromptProgress] = newValue }
    }

    /// Whether to use speculative decoding where it is faster: the next tokens are guessed from earlier text and
    /// verified several at a time. The answer is the same either way.
    public var speculates: Bool {
        get { self[\.speculates] }
        set { self[\.speculates] = newValue }
    }

    /// The scales of all LoRA adapters for this answer, in the order in which the adapters were loaded; `nil` uses
    /// ``LoRAAdapter/scale``. Other conversations can use other scales at the same time. An extension of leap-swift.
    public var adapterScales: [Float]? {
        get { self[\.adapterScales] }
        set { self[\.adapterScales] = newValue }
    }

    /// Ignored: the vendor's engine reads further settings from this JSON, none of which are documented.
    public var extras: String? {
        get { self[\.extras] }
        set { self[\.extras] = newValue }
    }
}
