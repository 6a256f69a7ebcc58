import LeapEngine
import LeapGeneration
import LeapJSON
import OrderedCollections

/// Fields that ollama's chat and generate requests have in common.
///
/// https://github.com/ollama/ollama/blob/main/docs/api.md
enum OllamaFields {
    static let model = Field.string("model", "name of the model, with or without ':latest'")
    static let stream = Field.bool("stream", "false sends the complete answer at once; otherwise it is streamed")
    static let format = Field.any("format", "'json', or a JSON Schema for the answer")
    static let options = Field.object("options", "sampling parameters and limits")
    static let think = Field.any(
        "think", "whether the model reasons before it answers: true, false, low, medium or high")
    static let keepAlive = Field.any(
        "keep_alive", "how long the model stays in memory: a number of seconds, or a string such as '5m'")
    static let logprobs = Field.bool("logprobs", "whether to return log probabilities of the tokens")
    static let topLogprobs = Field.integer("top_logprobs", 0...20, "number of alternatives to report for each token")
    static let truncate = Field.bool(
        "truncate", "false rejects a conversation that does not fit instead of dropping its oldest turns")

    /// All these fields, for the OpenAPI document.
    static let all: [any DescribedField] = [
        model, stream, format, options, think, keepAlive, logprobs, topLogprobs, truncate,
    ]

    private static let predict = Field.integer("num_predict", -2...Int.max, "maximum number of tokens to generate")
    private static let context = Field.integer("num_ctx", 1...Int.max, "maximum number of tokens of prompt and answer")
    private static let tailFree = Field.number("tfs_z", 0...1, "tail-free sampling; only 1 (disabled) is supported")

    /// Fields of other dialects that would change the answer.
    private static let undone = OtherDialects(
        length: "options.num_predict", stop: "options.stop", form: "'format'", reasoning: "'think'",
        own: [format.name, think.name]
    ).fields

    /// Generation options. Options about how a model is run are ignored, since clients cannot change that.
    static func answerOptions(_ fields: FieldReader) throws(APIError) -> AnswerOptions {
        try fields.refuse(undone)
        let reader = try FieldReader(try fields(options) ?? [:], path: "options")
        var answer = try GenerationFields.options(reader, temperature: GenerationFields.anyTemperature)
        // 0 and less are no limit to ollama.
        if let most = try reader(predict), most > 0 { answer.maxTokens = most }
        answer.contextLength = try reader(context)
        answer.overflow = try fields(truncate) == false ? .fails : .dropsOldestTurns
        if let value = try reader(tailFree), value != 1 {
            throw .invalid("options.tfs_z", "is not supported: omit it, or use 'typical_p'")
        }
        answer.topLogprobs = try probabilities(fields)
        try constrain(&answer, try fields(format))
        return answer
    }

    private static func probabilities(_ fields: FieldReader) throws(APIError) -> Int? {
        let alternatives = try fields(topLogprobs)
        return try fields(logprobs) == true ? alternatives ?? 0 : nil
    }

    private static func constrain(_ options: inout AnswerOptions, _ format: JSONValue?) throws(APIError) {
        guard let format, format != "" else { return }
        try GenerationFields.refuseSecondConstraint(options, Self.format.name)
        switch format {
        case .string("json"): options.constraint = .jsonSchema("{\"type\":\"object\"}", permitsUndeclared: true)
        case .object: options.constraint = .jsonSchema(format.text())
        default: throw .expected("'json' or a JSON Schema", at: "format", found: format)
        }
        options.showsSchema = format.object != nil
    }

    /// Sets the reasoning as requested.
    static func think(_ chat: inout ChatRequest, _ fields: FieldReader) throws(APIError) {
        switch try fields(think) {
        case nil: return
        case .bool(let thinks): chat.thinks = thinks
        case .string(let level): try chat.think(effort: level, path: "think")
        case .some(let other): throw .expected("true, false, 'low', 'medium' or 'high'", at: "think", found: other)
        }
    }

    /// How long the model stays loaded; negative means forever, `nil` leaves it unchanged.
    static func keepAliveDuration(_ fields: FieldReader) throws(APIError) -> Duration? {
        guard let value = try fields(keepAlive) else { return nil }
        if let seconds = value.double { return .seconds(max(-1, min(seconds, OllamaDuration.limit))) }
        guard let text = value.string, let duration = OllamaDuration.parse(text) else {
            throw .expected("a number of seconds, or a string such as '5m' or '1h30m'", at: "keep_alive", found: value)
        }
        return duration
    }
}

/// Durations as Go writes them: numbers with units, such as `1h30m`.
enum OllamaDuration {
    /// Longer than any server runs.
    static let limit = 1e9

    private static let units: [String: Double] = ["ms": 0.001, "s": 1, "m": 60, "h": 3600]

    /// A duration; `nil` if the text is not one.
    static func parse(_ text: String) -> Duration? {
        var rest = Substring(text)
        let isNegative = rest.first == "-"
        if isNegative { rest = rest.dropFirst() }
        guard !rest.isEmpty else { return nil }
        if rest.allSatisfy(\.isNumber), let seconds = Double(rest) { return bounded(seconds, isNegative) }
        var sum = 0.0
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isNumber || $0 == "." }
            let unit = rest.dropFirst(digits.count).prefix { $0.isLetter }
            guard let number = Double(digits), let seconds = units[String(unit)] else { return nil }
            sum += number * seconds
            rest = rest.dropFirst(digits.count + unit.count)
        }
        return bounded(sum, isNegative)
    }

    private static func bounded(_ seconds: Double, _ isNegative: Bool) -> Duration {
        isNegative ? .seconds(-1) : .seconds(min(seconds, limit))
    }
}
