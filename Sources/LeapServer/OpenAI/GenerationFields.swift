import LeapEngine
import LeapGeneration
import LeapJSON
import OrderedCollections

/// Fields of OpenAI's API, and llama-server's further ones, that say how tokens are drawn: those of chats and completions.
enum GenerationFields {
    static let temperature = Field.number("temperature", 0...2, "0 always takes the likeliest token")
    /// The same for llama-server's and ollama's own requests, which set no bound above.
    static let anyTemperature = Field.number("temperature", 0...1_000_000, "0 always takes the likeliest token")
    static let topP = Field.number("top_p", 0...1, "keeps the fewest likeliest tokens of this mass")
    static let topK = Field.integer("top_k", -1...1_000_000, "keeps the k likeliest tokens; 0 and -1 keep all")
    static let minP = Field.number("min_p", 0...1, "keeps tokens at least this times as probable as the best")
    static let typicalP = Field.number("typical_p", 0...1, "keeps tokens that surprise about as much as expected")
    static let presence = Field.number("presence_penalty", -2...2, "subtracted from a recent token's logit, once")
    static let frequency = Field.number(
        "frequency_penalty", -2...2, "subtracted from a recent token's logit, per occurrence")
    static let repetition = Field.number("repeat_penalty", 0.01...10, "divides recent tokens' positive logits")
    static let otherRepetition = Field.number("repetition_penalty", 0.01...10, "another name of repeat_penalty")
    static let window = Field.integer(
        "repeat_last_n", -1...1_000_000, "how many tokens penalties look at; -1 looks at all")
    static let xtcProbability = Field.number("xtc_probability", 0...1, "how often the likeliest tokens are left out")
    static let xtcThreshold = Field.number("xtc_threshold", 0...1, "what counts as likely for that")
    static let dryMultiplier = Field.number(
        "dry_multiplier", 0...100, "strength of the penalty on repetitions; 0 is none")
    static let dryBase = Field.number("dry_base", 1...100, "by how much it grows with a repetition's length")
    static let dryLength = Field.integer("dry_allowed_length", 0...1_000_000, "the longest repetition without penalty")
    static let dryWindow = Field.integer(
        "dry_penalty_last_n", -1...1_000_000, "how many tokens that looks at; -1 looks at all")
    static let dryBreakers = Field.array("dry_sequence_breakers", "texts across which nothing counts as a repetition")
    static let sigma = Field.number(
        "top_n_sigma", -1...1_000_000, "keeps tokens so many standard deviations below the best; 0 and less keep all")
    static let mirostat = Field.integer("mirostat", 0...2, "1 or 2 hold the surprise of the text near a target")
    static let mirostatTarget = Field.number("mirostat_tau", 0...100, "that target")
    static let mirostatRate = Field.number("mirostat_eta", 0...1, "how fast it is approached")
    static let bias = Field.any("logit_bias", "added to logits of tokens: an object, or a list of pairs")
    static let seed = Field.any("seed", "start of the random numbers: any 64-bit integer", ["type": "integer"])
    static let stop = Field.any("stop", "a text or up to 16 that end the answer and are not a part of it")
    static let cachePrompt = Field.bool("cache_prompt", "false neither uses nor keeps what is known of prompts")
    static let ignoreEOS = Field.bool("ignore_eos", "true has the model go on for as many tokens as it may")
    static let grammar = Field.string("grammar", "a grammar in llama.cpp's notation that the answer satisfies")
    static let jsonSchema = Field.object("json_schema", "a JSON Schema that the answer satisfies")
    static let adapters = Field.array(
        "lora", "objects of id and scale: how much these adapters weigh in the answer; others do not")
    static let model = Field.string("model", "the model by its name")
    static let choices = Field.integer("n", 1...8, "how many answers there are")
    static let stream = Field.bool("stream", "sends the answer while it is written")
    static let streamOptions = Field.object("stream_options", "include_usage: a last chunk says what it cost")
    static let includeUsage = Field.bool("include_usage", "whether a last chunk says what the answer cost")
    static let tier = Field.choice(
        "service_tier", ["auto", "default", "flex", "priority", "scale"],
        "flex: nobody waits for the answer, so that others come first")
    static let user = Field.string("user", "whom the answer is for; changes nothing")

    /// All that say how tokens are drawn.
    static let all: [any DescribedField] = [
        temperature, topP, topK, minP, typicalP, presence, frequency, repetition, otherRepetition, window,
        xtcProbability, xtcThreshold, dryMultiplier, dryBase, dryLength, dryWindow, dryBreakers, sigma, mirostat,
        mirostatTarget, mirostatRate, bias, seed, stop, cachePrompt, ignoreEOS, grammar, jsonSchema, adapters, model,
        choices, stream, streamOptions, tier, user,
    ]

    /// llama-server's order, which is the one here.
    private static let usualSamplers: JSONValue = [
        "penalties", "dry", "top_n_sigma", "top_k", "typ_p", "top_p", "min_p", "xtc", "temperature",
    ]

    /// Fields of llama-server and vLLM that would change the answer, and are not done.
    static let undone: [UndoneField] = [
        UndoneField(
            "n_probs", idle: [0],
            "is not supported: ask for 'logprobs' at /v1/chat/completions or /v1/completions"),
        UndoneField("post_sampling_probs", idle: [false], "is not supported: probabilities are those before sampling"),
        UndoneField("timings_per_token", idle: [false], "is not supported: timings come with the end of an answer"),
        UndoneField("return_progress", idle: [false], "is not supported: leave it out"),
        UndoneField("return_tokens", idle: [false], "is not supported: ask /tokenize for the tokens of a text"),
        UndoneField("response_fields", idle: [[]], "is not supported: replies have all their members"),
        UndoneField("t_max_predict_ms", idleUpTo: 0, "is not supported: say how many tokens the answer may have"),
        UndoneField(
            "samplers", idle: [[], usualSamplers],
            "is not supported: the order in which tokens are chosen is always the same"),
        UndoneField("dynatemp_range", idle: [0], "is not supported: give a 'temperature'"),
        UndoneField("min_keep", idle: [0, 1], "is not supported: filters may leave one token"),
        UndoneField("n_keep", idle: [0], "is not supported: nothing is dropped from a prompt that is too long"),
        UndoneField("n_cmpl", idle: [1], "is not supported: ask for 'n' answers at /v1/chat/completions"),
        UndoneField("stop_token_ids", idle: [[]], "is not supported: give the tokens' texts as 'stop'"),
        UndoneField("min_tokens", idle: [0], "is not supported: leave it out, or set 'ignore_eos' to true"),
        UndoneField("guided_json", "is not supported: give the schema as 'json_schema'"),
        UndoneField("guided_regex", "is not supported: give a 'json_schema' of a string with a 'pattern'"),
        UndoneField("guided_choice", "is not supported: give a 'json_schema' with an 'enum'"),
        UndoneField("guided_grammar", "is not supported: give a 'grammar'"),
    ]

    /// The options that a request has in common with all others.
    ///
    /// - Parameter temperature: The dialect's field of it.
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

    /// Refuses a field that would take the place of another constraint.
    static func refuseSecondConstraint(_ options: AnswerOptions, _ field: String) throws(APIError) {
        guard options.constraint != nil else { return }
        throw .invalid(
            field, "is not the only field that says what the answer must be: give one grammar, schema or format")
    }

    /// What a client calls the field that says what the answer must be.
    ///
    /// - Parameter format: The field of the dialect, where it is none of those that all have in common.
    static func constraintField(_ fields: FieldReader, format: String) -> String {
        let names = [grammar.name, jsonSchema.name].filter { fields.has($0) && fields.members[$0] != "" }
        return names.first.map { fields.path + $0 } ?? format
    }

    /// How urgent an answer is that a client asks for: there are two tiers.
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
        guard let multiplier = try fields(dryMultiplier), multiplier > 0 else { return nil }
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
        switch try fields(seed) {
        case nil: return nil
        // llama-server's clients mean any seed by -1.
        case .integer(-1): return nil
        case .integer(let value): return UInt64(bitPattern: Int64(value))
        case .largeInteger(let digits): if let value = UInt64(digits) { return value }
        default: break
        }
        throw .expected("a 64-bit integer", at: fields.path + "seed", found: fields.members["seed"] ?? .null)
    }

    /// The most texts that may end an answer.
    private static let stopLimit = 16

    static func stopTexts(_ fields: FieldReader, _ field: Field<JSONValue> = stop) throws(APIError) -> [String] {
        guard let value = try fields(field) else { return [] }
        let path = fields.path + field.name
        let texts = (value.array ?? [value]).compactMap(\.string)
        guard texts.count == value.array?.count ?? 1 else {
            throw .expected("a string or an array of strings", at: path, found: value)
        }
        guard texts.count <= stopLimit else {
            throw .invalid(path, "has \(texts.count) texts, but at most \(stopLimit) are looked for")
        }
        guard !texts.contains("") else {
            throw .invalid(path, "has an empty text, which would end every answer at once")
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
            throw .expected("an object of biases by tokens' numbers", at: path, found: value)
        }
        guard pairs.count <= 1024 else { throw .invalid(path, "has \(pairs.count) biases, but at most 1024 are used") }
        var result: [Int: Float] = [:]
        for (token, bias) in pairs {
            guard let token = token.wholeNumber, token >= 0 else {
                throw .expected("a token's number", at: path, found: token)
            }
            // llama-server's clients forbid a token by false.
            let bias = bias == .bool(false) ? -100 : bias.double
            guard let bias, (-100...100).contains(bias) else {
                throw .invalid("\(path).\(token)", "must be a number from -100 to 100")
            }
            result[token] = Float(bias)
        }
        return result
    }
}
