public import LeapJSON

// MARK: - Choosing tokens

extension GenerationOptions {
    /// Divides the logits: low values are predictable, high ones are varied. 0 takes the likeliest token, always.
    public var temperature: Float? {
        get { self[\.temperature] }
        set { self[\.temperature] = newValue }
    }

    /// Draws from the fewest likeliest tokens whose probabilities sum to at least this; 1 is off.
    public var topP: Float? {
        get { self[\.topP] }
        set { self[\.topP] = newValue }
    }

    /// Draws from this many of the likeliest tokens; 0 is off.
    public var topK: Int? {
        get { self[\.topK] }
        set { self[\.topK] = newValue }
    }

    /// Draws from tokens at least this times as probable as the likeliest; 0 is off.
    public var minP: Float? {
        get { self[\.minP] }
        set { self[\.minP] = newValue }
    }

    /// Draws from the fewest tokens whose information content is nearest to what is expected, and whose probabilities sum
    /// to at least this; 1 is off. Leaves out the surprising, and where the model is unsure, the obvious as well.
    public var typicalP: Float? {
        get { self[\.typicalP] }
        set { self[\.typicalP] = newValue }
    }

    /// Draws from tokens whose logits are at most this many standard deviations of all logits below the highest; 0 is off.
    public var topNSigma: Float? {
        get { self[\.topNSigma] }
        set { self[\.topNSigma] = newValue }
    }

    /// Makes tokens less likely that occur among the last ones; 1 is off.
    public var repetitionPenalty: Float? {
        get { self[\.repetitionPenalty] }
        set { self[\.repetitionPenalty] = newValue }
    }

    /// Subtracted from a token's logit for each time that it occurs among the last ones; 0 is off.
    public var frequencyPenalty: Float? {
        get { self[\.frequencyPenalty] }
        set { self[\.frequencyPenalty] = newValue }
    }

    /// Subtracted from a token's logit if it occurs among the last ones; 0 is off.
    public var presencePenalty: Float? {
        get { self[\.presencePenalty] }
        set { self[\.presencePenalty] = newValue }
    }

    /// How many of the latest tokens the three penalties look at: 64 by default, 0 for none.
    public var penaltyWindow: Int? {
        get { self[\.penaltyWindow] }
        set { self[\.penaltyWindow] = newValue }
    }

    /// Penalises the continuation of repetitions; `nil` is off.
    public var dry: DRYSampling? {
        get { self[\.dry] }
        set { self[\.dry] = newValue }
    }

    /// Leaves out the likeliest tokens now and then; `nil` is off.
    public var xtc: XTCSampling? {
        get { self[\.xtc] }
        set { self[\.xtc] = newValue }
    }

    /// Keeps the surprise of the text near a target, in the place of all filters; `nil` is off.
    public var mirostat: MirostatSampling? {
        get { self[\.mirostat] }
        set { self[\.mirostat] = newValue }
    }

    /// Added to the logits of tokens, by token id.
    public var logitBias: [Int: Float] {
        get { self[\.logitBias] }
        set { self[\.logitBias] = newValue }
    }

    /// How many of the likeliest tokens are reported with their probabilities at each step, beside the one that was
    /// drawn; `nil` reports nothing.
    public var topLogprobs: Int? {
        get { self[\.topLogprobs] }
        set { self[\.topLogprobs] = newValue }
    }

    /// Start of the random numbers, for answers that can be repeated; `nil` is another one every time.
    public var rngSeed: UInt64? {
        get { self[\.rngSeed] }
        set { self[\.rngSeed] = newValue }
    }
}

// MARK: - The chat template

extension GenerationOptions {
    /// Further variables of the chat template, by name: what a template makes of them is its own matter. They come after
    /// those that other options set, such as ``enableThinking``, and a template's own, such as `messages`, are refused.
    public var templateVariables: [String: JSONValue] {
        get { self[\.templateVariables] }
        set { self[\.templateVariables] = newValue }
    }
}

// MARK: - Thoughts

extension GenerationOptions {
    /// The chat template's variable `enable_thinking`; `nil` leaves it undefined. A model that thinks regardless is split
    /// into reasoning and text regardless.
    public var enableThinking: Bool? {
        get { self[\.enableThinking] }
        set { self[\.enableThinking] = newValue }
    }

    /// Whether thoughts are delivered as `.chunk`, with their tags, instead of `.reasoningChunk`.
    public var inlineThinkingTags: Bool {
        get { self[\.inlineThinkingTags] }
        set { self[\.inlineThinkingTags] = newValue }
    }

    /// The most tokens of a thought, after which it is ended and the answer begins; `nil` is no limit.
    public var thinkingBudget: Int? {
        get { self[\.thinkingBudget] }
        set { self[\.thinkingBudget] = newValue }
    }
}

// MARK: - Where to end

extension GenerationOptions {
    /// The most tokens to generate.
    public var maxOutputTokens: Int? {
        get { self[\.maxOutputTokens] }
        set { self[\.maxOutputTokens] = newValue }
    }

    /// Another name of ``maxOutputTokens``; where both are given, the smaller one counts.
    public var maxTokens: Int? {
        get { self[\.maxTokens] }
        set { self[\.maxTokens] = newValue }
    }

    /// The most tokens of prompt and answer together, if smaller than the context.
    public var sequenceLength: Int? {
        get { self[\.sequenceLength] }
        set { self[\.sequenceLength] = newValue }
    }

    /// Texts that end the answer; they are not part of it.
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

    /// Whether objects of ``jsonSchemaConstraint`` may have properties that the schema neither declares nor asks for
    /// (`additionalProperties`, `patternProperties`, `propertyNames`). They come after the declared ones. An option of
    /// leap-swift: JSON Schema permits them, but small models write them without end.
    public var permitsUndeclaredProperties: Bool {
        get { self[\.permitsUndeclaredProperties] }
        set { self[\.permitsUndeclaredProperties] = newValue }
    }

    /// Whether the model is shown the schema of ``jsonSchemaConstraint`` in the system message, unless it is there already.
    public var injectSchemaIntoPrompt: Bool {
        get { self[\.injectSchemaIntoPrompt] }
        set { self[\.injectSchemaIntoPrompt] = newValue }
    }

    /// A regular expression that the whole answer must match.
    public var regexConstraint: String? {
        get { self[\.regexConstraint] }
        set { self[\.regexConstraint] = newValue }
    }

    /// A grammar in llama.cpp's GBNF that the whole answer must match.
    public var grammarConstraint: String? {
        get { self[\.grammarConstraint] }
        set { self[\.grammarConstraint] = newValue }
    }
}

// MARK: - Around the answer

extension GenerationOptions {
    /// Reads function calls out of the model's text; with `nil` they are delivered as they are, as `.chunk`.
    public var functionCallParser: (any LeapFunctionCallParserProtocol)? {
        get { values.functionCallParser }
        set { self[\.parser] = ParserReference(newValue) }
    }

    /// Accepted for programs that set it, and ignored: an answer follows from the conversation's history alone, so there
    /// is nothing that could be reset.
    public var resetHistory: Bool {
        get { self[\.resetHistory] }
        set { self[\.resetHistory] = newValue }
    }

    /// Whether a cache of computed prompts may be used; see ``CacheControl``.
    public var cacheControl: CacheControl? {
        get { self[\.cacheControl] }
        set { self[\.cacheControl] = newValue }
    }

    /// What happens when the conversation has outgrown the context.
    public var contextPolicy: ContextPolicy {
        get { self[\.contextPolicy] }
        set { self[\.contextPolicy] = newValue }
    }

    /// Called on the engine's thread while the prompt is being read: at once with what is known of it already, then
    /// after every pass, of up to 256 tokens.
    public var onPromptProgress: (@Sendable (PromptProgress) -> Void)? {
        get { self[\.onPromptProgress] }
        set { self[\.onPromptProgress] = newValue }
    }

    /// Whether words are guessed from what was said before and checked several at a time, where that is faster. The answer
    /// is the same either way.
    public var speculates: Bool {
        get { self[\.speculates] }
        set { self[\.speculates] = newValue }
    }

    /// The scales of all LoRA adapters for this answer, in the order in which they were loaded; `nil` uses
    /// ``LoRAAdapter/scale``. An option of leap-swift: other conversations may use other scales at the same time.
    public var adapterScales: [Float]? {
        get { self[\.adapterScales] }
        set { self[\.adapterScales] = newValue }
    }

    /// Accepted for programs that set it, and ignored: the original's engine took further settings as JSON here, none of
    /// which are documented.
    public var extras: String? {
        get { self[\.extras] }
        set { self[\.extras] = newValue }
    }
}
