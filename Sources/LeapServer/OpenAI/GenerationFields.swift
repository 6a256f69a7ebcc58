import LeapEngine
import LeapGeneration
import LeapJSON
import OrderedCollections

/// The sampling fields of OpenAI's API, with llama-server's additional ones, for chats and completions.
enum GenerationFields {
    static let temperature = Field.number(
        "temperature", 0...2, "sampling temperature; 0 always chooses the most likely token")
    /// The same for llama-server's and ollama's own requests, which have no upper bound.
    static let anyTemperature = Field.number(
        "temperature", 0...1_000_000, "sampling temperature; 0 always chooses the most likely token")
    static let topP = Field.number(
        "top_p", 0...1, "nucleus sampling: keeps the smallest set of most likely tokens with this total probability")
    static let topK = Field.integer("top_k", -1...1_000_000, "keeps the k most likely tokens; 0 and -1 keep all")
    static let minP = Field.number(
        "min_p", 0...1, "keeps tokens whose probability is at least this fraction of the most likely one's")
    static let typicalP = Field.number(
        "typical_p", 0...1,
        "locally typical sampling: keeps tokens whose information content is close to the expected one")
    static let presence = Field.number("presence_penalty", -2...2, "subtracted once from the logits of recent tokens")
    static let frequency = Field.number(
        "frequency_penalty", -2...2, "subtracted from the logits of recent tokens for each occurrence")
    static let repetition = Field.number(
        "repeat_penalty", 0.01...10, "divides the positive logits of recent tokens and multiplies the negative ones")
    static let otherRepetition = Field.number("repetition_penalty", 0.01...10, "alias of repeat_penalty")
    static let window = Field.integer(
        "repeat_last_n", -1...1_000_000, "number of recent tokens that penalties consider; -1 for all")
    static let xtcProbability = Field.number(
        "xtc_probability", 0...1, "XTC: probability of excluding the most likely tokens")
    static let xtcThreshold = Field.number("xtc_threshold", 0...1, "XTC: minimum probability of the tokens to exclude")
    static let dryMultiplier = Field.number(
        "dry_multiplier", 0...100, "DRY: strength of the repetition penalty; 0 disables it")
    static let dryBase = Field.number(
        "dry_base", 1...100, "DRY: base of the penalty's exponential growth with the length of a repetition")
    static let dryLength = Field.integer(
        "dry_allowed_length", 0...1_000_000, "DRY: longest repetition without a penalty")
    static let dryWindow = Field.integer(
        "dry_penalty_last_n", -1...1_000_000, "DRY: number of recent tokens to consider; -1 for all")
    static let dryBreakers = Field.array("dry_sequence_breakers", "DRY: strings that interrupt a repetition")
    static let sigma = Field.number(
        "top_n_sigma", -1...1_000_000,
        "keeps tokens whose logits are within this many standard deviations of the highest; 0 and less keep all")
    static let mirostat = Field.integer("mirostat", 0...2, "version of Mirostat sampling, 1 or 2; 0 disables it")
    static let mirostatTarget = Field.number("mirostat_tau", 0...100, "target surprise for Mirostat")
    static let mirostatRate = Field.number("mirostat_eta", 0...1, "learning rate for Mirostat")
    static let bias = Field.any(
        "logit_bias", "values to add to the logits of tokens: an object, or an array of pairs; false forbids a token")
    static let seed = Field.any("seed", "seed for sampling: any 64-bit integer", ["type": "integer"])
    static let stop = Field.any(
        "stop", "a string, or an array of up to 16 strings, that end the answer; they are not part of it")
    static let cachePrompt = Field.bool("cache_prompt", "false neither reads nor updates the prompt cache")
    static let ignoreEOS = Field.bool(
        "ignore_eos", "true ignores end-of-text tokens and continues up to the token limit")
    static let grammar = Field.string("grammar", "a grammar for the answer, in llama.cpp's GBNF notation")
    static let jsonSchema = Field.object("json_schema", "a JSON Schema for the answer")
    static let adapters = Field.array(
        "lora", "scales of LoRA adapters for this request: objects with id and scale; all others are disabled")
    static let model = Field.string("model", "name of the model")
    static let choices = Field.integer("n", 1...8, "number of answers to generate")
    static let stream = Field.bool("stream", "whether to stream the answer")
    static let streamOptions = Field.object("stream_options", "include_usage: whether a final chunk reports the usage")
    static let includeUsage = Field.bool("include_usage", "whether a final chunk reports the usage")
    static let tier = Field.choice(
        "service_tier", ["auto", "default", "flex", "priority", "scale"],
        "flex: background work, which yields to other requests")
    static let user = Field.string("user", "identifies the end user; ignored")

    /// All sampling fields.
    static let all: [any DescribedField] = [
        temperature, topP, topK, minP, typicalP, presence, frequency, repetition, otherRepetition, window,
        xtcProbability, xtcThreshold, dryMultiplier, dryBase, dryLength, dryWindow, dryBreakers, sigma, mirostat,
        mirostatTarget, mirostatRate, bias, seed, stop, cachePrompt, ignoreEOS, grammar, jsonSchema, adapters, model,
        choices, stream, streamOptions, tier, user,
    ]

    /// llama-server's order, which is also ours.
    private static let usualSamplers: JSONValue = [
        "penalties", "dry", "top_n_sigma", "top_k", "typ_p", "top_p", "min_p", "xtc", "temperature",
    ]

    /// Unsupported fields of llama-server, vLLM and SGLang that would change the answer.
    static let undone = undoneOfLlamaServer + undoneOfOthers

    private static let undoneOfLlamaServer = [
        UnsupportedField(
            "n_probs", idle: [0],
            "is not supported: use 'logprobs' with /v1/chat/completions or /v1/completions"),
        UnsupportedField(
            "post_sampling_probs", idle: [false], "is not supported: the probabilities before sampling are reported"),
        UnsupportedField(
            "timings_per_token", idle: [false], "is not supported: timings are reported at the end of an answer"),
        UnsupportedField("return_progress", idle: [false], "is not supported: omit it"),
        UnsupportedField("return_tokens", idle: [false], "is not supported: use /tokenize to get the tokens of a text"),
        UnsupportedField("response_fields", idle: [[]], "is not supported: replies always have all members"),
        UnsupportedField("t_max_predict_ms", idleUpTo: 0, "is not supported: limit the number of tokens instead"),
        UnsupportedField(
            "samplers", idle: [[], usualSamplers],
            "is not supported: the order of the samplers is fixed"),
        UnsupportedField("dynatemp_range", idle: [0], "is not supported: use 'temperature'"),
        UnsupportedField("min_keep", idle: [0, 1], "is not supported: samplers may leave a single token"),
        UnsupportedField("n_keep", idle: [0], "is not supported: prompts that are too long are not truncated"),
        UnsupportedField("n_cmpl", idle: [1], "is not supported: use 'n' with /v1/chat/completions"),
    ]

    /// Sources: vLLM's documentation, OpenAI-Compatible Server; SGLang's documentation, Sampling Parameters.
    private static let undoneOfOthers = [
        UnsupportedField("bad_words", idle: [[]], "is not supported: use 'logit_bias' with false"),
        UnsupportedField("allowed_token_ids", idle: [[]], "is not supported: use 'grammar' or 'regex'"),
        UnsupportedField("use_beam_search", idle: [false], "is not supported: use 'n', or a temperature of 0"),
        UnsupportedField("truncate_prompt_tokens", "is not supported: shorten the prompt"),
        UnsupportedField(
            "prompt_logprobs", "is not supported: use 'echo' and 'logprobs' with /v1/completions"),
        UnsupportedField(
            "include_stop_str_in_output", idle: [false], "is not supported: append the stop string to the answer"),
        UnsupportedField("no_stop_trim", idle: [false], "is not supported: append the stop string to the answer"),
        UnsupportedField("stop_regex", idle: ["", []], "is not supported: use 'stop'"),
        UnsupportedField("return_token_ids", idle: [false], "is not supported: use /tokenize"),
        UnsupportedField("return_tokens_as_token_ids", idle: [false], "is not supported: use /tokenize"),
        UnsupportedField("chat_template", "is not supported: start the server with --chat-template"),
        UnsupportedField("structural_tag", "is not supported: use 'tools' or 'grammar'"),
        UnsupportedField(
            "include_reasoning", idle: [true], "is not supported: ignore the reasoning, or turn it off"),
        UnsupportedField(
            "separate_reasoning", idle: [true], "is not supported: set 'reasoning_format' to 'none'"),
        UnsupportedField("stop_token_ids", idle: [[]], "is not supported: pass the text of the tokens as 'stop'"),
    ]

    /// Asks for nothing where an answer ends only with its limit.
    private static let minTokens = UnsupportedField(
        "min_tokens", idle: [0], "is not supported: omit it, or set 'ignore_eos' to true, without 'stop'")

    /// The options that all requests have in common.
    ///
    /// - Parameter temperature: The dialect's field for the temperature.
    static func options(
        _ fields: FieldReader, temperature: Field<Double> = temperature
    ) throws(APIError) -> AnswerOptions {
        var options = AnswerOptions(sampling: try sampling(fields))
        options.sampling.temperature = try fields(temperature).map { Float($0) }
        options.seed = try seed(fields)
        options.stopStrings = try stopTexts(fields)
        options.usesCache = try fields(cachePrompt) ?? true
        options.isBackground = try fields(tier) == "flex"
        options.ignoresEnd = try fields(ignoreEOS) ?? false
        if !options.ignoresEnd || !options.stopStrings.isEmpty { try fields.refuse([minTokens]) }
        options.adapterScalesByNumber = try fields(adapters).map { list throws(APIError) in
            try AdapterFields.scales(list, path: fields.path + adapters.name)
        }
        if let grammar = try fields(grammar), !grammar.isEmpty { options.constraint = .grammar(grammar) }
        if let schema = try fields(jsonSchema) {
            try refuseSecondConstraint(options, fields.path + grammar.name)
            options.constraint = .jsonSchema(schema.text())
        }
        return options
    }

    /// Rejects a second constraint.
    static func refuseSecondConstraint(_ options: AnswerOptions, _ field: String) throws(APIError) {
        guard options.constraint != nil else { return }
        throw .invalid(
            field, "cannot be combined with another grammar, schema or format: use only one of them")
    }

    /// The name of the field that constrains the answer.
    ///
    /// - Parameter format: The dialect's field, used unless a common one is present.
    static func constraintField(_ fields: FieldReader, format: String) -> String {
        let common: [any DescribedField] = [grammar, jsonSchema] + GuidedOutput.fields
        let name = common.map(\.name).first { fields.has($0) && fields.members[$0] != "" && fields.members[$0] != [:] }
        return name.map { fields.path + $0 } ?? format
    }

    /// The priority that a client requests: there are two tiers.
    static func servedTier(_ asked: String) -> String { asked == "flex" ? "flex" : "default" }

    private static func sampling(_ fields: FieldReader) throws(APIError) -> SamplingOverrides {
        var sampling = SamplingOverrides()
        func float(_ field: Field<Double>) throws(APIError) -> Float? { try fields(field).map { Float($0) } }
        sampling.topP = try float(topP)
        sampling.topK = try fields(topK).map { max(0, $0) }
        sampling.minP = try float(minP)
        sampling.typicalP = try float(typicalP)
        sampling.presencePenalty = try float(presence)
        sampling.frequencyPenalty = try float(frequency)
        sampling.topNSigma = try float(sigma)
        let penalties = [try float(repetition), try float(otherRepetition)]
        sampling.repetitionPenalty = penalties.compactMap(\.self).first
        sampling.penaltyWindow = try fields(window).map { $0 < 0 ? .max : $0 }
        sampling.mirostat = try mirostatSettings(fields)
        sampling.xtcProbability = try float(xtcProbability)
        sampling.xtcThreshold = try float(xtcThreshold)
        sampling.logitBias = try biases(fields)
        sampling.dry = try drySettings(fields)
        if let breakers = try fields(dryBreakers) {
            sampling.sequenceBreakers = try texts(breakers, fields, dryBreakers)
        }
        return sampling
    }

    private static func drySettings(_ fields: FieldReader) throws(APIError) -> DRYSettings? {
        let (base, length, window) = (try fields(dryBase), try fields(dryLength), try fields(dryWindow))
        guard let multiplier = try fields(dryMultiplier) else { return nil }
        var settings = DRYSettings(multiplier: Float(multiplier))
        if let base { settings.base = Float(base) }
        if let length { settings.allowedLength = length }
        if let window { settings.window = window < 0 ? .max : window }
        return settings
    }

    private static func mirostatSettings(_ fields: FieldReader) throws(APIError) -> MirostatSettings? {
        let (target, rate) = (try fields(mirostatTarget), try fields(mirostatRate))
        let version: MirostatSettings.Version
        switch try fields(mirostat) {
        case 1: version = .v1
        case 2: version = .v2
        default: return nil
        }
        var settings = MirostatSettings(version: version)
        if let target { settings.target = Float(target) }
        if let rate { settings.learningRate = Float(rate) }
        return settings
    }

    private static func texts(
        _ values: [JSONValue], _ fields: FieldReader, _ field: Field<[JSONValue]>
    ) throws(APIError) -> [String] {
        let texts = values.compactMap(\.string)
        guard texts.count == values.count else {
            throw .expected("an array of strings", at: fields.path + field.name, found: .array(values))
        }
        return texts
    }

    private static func seed(_ fields: FieldReader) throws(APIError) -> UInt64? {
        let value = try fields(seed)
        // Some clients write whole numbers as 1.0. llama-server's mean any seed by -1.
        if let whole = value?.wholeNumber { return whole == -1 ? nil : UInt64(bitPattern: Int64(whole)) }
        switch value {
        case nil: return nil
        case .largeInteger(let digits): if let value = UInt64(digits) { return value }
        default: break
        }
        throw .expected("a 64-bit integer", at: fields.path + "seed", found: fields.members["seed"] ?? .null)
    }

    /// The maximum number of stop strings.
    private static let stopLimit = 16

    static func stopTexts(_ fields: FieldReader, _ field: Field<JSONValue> = stop) throws(APIError) -> [String] {
        guard let value = try fields(field) else { return [] }
        let path = fields.path + field.name
        let texts = (value.array ?? [value]).compactMap(\.string)
        guard texts.count == value.array?.count ?? 1 else {
            throw .expected("a string or an array of strings", at: path, found: value)
        }
        guard texts.count <= stopLimit else {
            throw .invalid(path, "has \(texts.count) strings, but at most \(stopLimit) are allowed")
        }
        guard !texts.contains("") else {
            throw .invalid(path, "contains an empty string, which would end every answer at once")
        }
        return texts
    }

    private static func biases(_ fields: FieldReader) throws(APIError) -> [Int: Float] {
        guard let value = try fields(bias) else { return [:] }
        let path = fields.path + bias.name
        let pairs: [(JSONValue, JSONValue)]
        if let members = value.object {
            pairs = members.map { (Int($0.key).map { .integer($0) } ?? .string($0.key), $0.value) }
        } else if let elements = value.array, elements.allSatisfy({ $0.array?.count == 2 }) {
            pairs = elements.compactMap(\.array).map { ($0[0], $0[1]) }
        } else {
            throw .expected("an object that maps token IDs to biases", at: path, found: value)
        }
        guard pairs.count <= 1024 else {
            throw .invalid(path, "has \(pairs.count) biases, but at most 1024 are allowed")
        }
        var result: [Int: Float] = [:]
        for (token, bias) in pairs {
            guard let token = token.wholeNumber, token >= 0 else {
                throw .expected("a token ID", at: path, found: token)
            }
            // llama-server's clients forbid a token by false, whatever its logit.
            if bias == .bool(false) {
                result[token] = -.infinity
                continue
            }
            guard let bias = bias.double, (-100...100).contains(bias) else {
                throw .invalid("\(path).\(token)", "must be a number from -100 to 100, or false to forbid the token")
            }
            result[token] = Float(bias)
        }
        return result
    }
}
