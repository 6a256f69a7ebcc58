import LeapEngine
import LeapJSON
import LeapTokenizer

/// A request to OpenAI's legacy Completions API: texts or tokens to continue as is.
struct CompletionRequest: Sendable {
    /// The prompt.
    enum Prompt: Sendable, Hashable {
        case text(String)
        case tokens([Token])
    }

    /// A job for each prompt.
    private(set) var jobs: [AnswerJob]
    /// What the jobs have in common.
    private let options: AnswerOptions
    /// Whether the answer includes the prompt.
    let echoes: Bool
    /// The number of alternatives to report; `nil` for no probabilities.
    let logprobs: Int?
    /// Whether it is streamed.
    let streams: Bool
    /// Whether a final chunk reports the usage.
    let includesUsage: Bool
    /// Its ID.
    let id = Identifier.make("cmpl-")
    /// The time of the request, in seconds since 1970.
    let created = UnixTime.now

    static let prompt = Field.any("prompt", "a string, an array of token IDs, or an array of either")
    static let maxTokens = Field.integer("max_tokens", -1...Int.max, "maximum number of tokens to generate")
    static let echo = Field.bool("echo", "whether to include the prompt in the completion")
    static let logprobs = Field.integer("logprobs", 0...5, "number of alternatives to report for each token")
    static let suffix = Field.string("suffix", "the text after the completion")
    static let bestOf = Field.integer("best_of", 1...8, "must equal n")

    /// All fields, for the OpenAPI document.
    static let fields: [any DescribedField] =
        [prompt, maxTokens, echo, logprobs, suffix, bestOf] as [any DescribedField] + GuidedOutput.fields
        + GenerationFields.all

    /// Fields of other dialects that would change the answer.
    private static let undone = OtherDialects(
        length: maxTokens.name, stop: GenerationFields.stop.name, form: "'json_schema' or 'grammar'",
        own: [GuidedOutput.name]
    ).fields

    init(_ fields: FieldReader) throws(APIError) {
        try fields.refuse(Self.undone + GenerationFields.undone)
        let suffix = try fields(Self.suffix).flatMap { $0.isEmpty ? nil : $0 }
        let choices = try fields(GenerationFields.choices) ?? 1
        if let bestOf = try fields(Self.bestOf), bestOf != choices {
            throw .invalid("best_of", "must equal 'n', found \(bestOf): all completions are returned")
        }
        var options = try GenerationFields.options(fields)
        try GuidedOutput.constrain(&options, fields)
        let maximum = try fields(Self.maxTokens)
        options.maxTokens = maximum.flatMap { $0 < 0 ? nil : $0 }
        let logprobs = try fields(Self.logprobs)
        options.topLogprobs = logprobs
        echoes = try fields(Self.echo) ?? false
        options.scoresPrompt = echoes && logprobs != nil
        let model = try fields(GenerationFields.model)
        if suffix != nil, echoes {
            throw .invalid(
                "echo", "cannot be combined with 'suffix', which fills in the text between prompt and suffix")
        }
        var jobs: [AnswerJob] = []
        let names = JobFields(
            subject: Self.prompt.name, constraint: GenerationFields.constraintField(fields, format: "grammar"))
        for prompt in try Self.prompts(fields) {
            let subject = try Self.subject(prompt, before: suffix, options)
            var job = AnswerJob(model: model, subject: subject, choices: choices, fields: names)
            job.usualTokens = maximum == nil ? Self.usualTokens : nil
            jobs.append(job)
        }
        self.jobs = jobs
        self.options = options
        self.logprobs = logprobs
        streams = try fields(GenerationFields.stream) ?? false
        let streamOptions = try fields(GenerationFields.streamOptions)
        includesUsage =
            try streamOptions.map { options throws(APIError) in
                try FieldReader(options, path: "stream_options")(GenerationFields.includeUsage) ?? false
            } ?? false
        guard streams || streamOptions == nil else {
            throw .invalid("stream_options", "requires streaming: set 'stream' to true, or omit it")
        }
    }

    /// Fixes the scales of a model's adapters, so that all parts of the reply have the same, even if the defaults change
    /// before all of them are prepared.
    ///
    /// - Returns: The scales; `nil` of a model without adapters.
    mutating func settleAdapterScales(of model: LoadedModel) throws(APIError) -> [Float]? {
        do {
            let scales = try model.adapterScales(options)
            jobs = jobs.map { $0.changed { $0.adapterScales = scales } }
            return scales
        } catch { throw APIError(engine: error) }
    }

    private static func subject(
        _ prompt: Prompt, before suffix: String?, _ options: AnswerOptions
    ) throws(APIError) -> AnswerJob.Subject {
        switch (prompt, suffix) {
        case (.text(let text), nil): return .text(text, options)
        case (.text(let text), let suffix?): return .infill(prefix: text, suffix: suffix, options)
        case (.tokens(let tokens), nil): return .tokens(tokens, options)
        case (.tokens, _?): throw .invalid("suffix", "requires the prompt to be a string, not tokens")
        }
    }

    /// The most tokens of a completion if nothing else is said, as OpenAI's reference has it.
    private static let usualTokens = 16

    /// The most prompts of a request.
    private static let promptLimit = 64

    /// - Parameter limit: The most of them.
    static func prompts(
        _ fields: FieldReader, _ field: Field<JSONValue> = prompt, limit: Int = promptLimit
    ) throws(APIError) -> [Prompt] {
        let value = try fields.required(field)
        let path = fields.path + field.name
        if let text = value.string { return [.text(text)] }
        guard let elements = value.array, !elements.isEmpty else {
            throw .expected("a string, an array of strings, or tokens", at: path, found: value)
        }
        if elements.allSatisfy({ $0.wholeNumber != nil }) { return [.tokens(try tokens(elements, path))] }
        guard elements.count <= limit else {
            throw .invalid(path, "has \(elements.count) elements, but the limit is \(limit) per request")
        }
        var prompts: [Prompt] = []
        for (index, element) in elements.enumerated() {
            if let text = element.string {
                prompts.append(.text(text))
            } else {
                guard let numbers = element.array else {
                    throw .expected("a string or an array of tokens", at: "\(path)[\(index)]", found: element)
                }
                prompts.append(.tokens(try tokens(numbers, "\(path)[\(index)]")))
            }
        }
        return prompts
    }

    static func tokens(_ numbers: [JSONValue], _ path: String) throws(APIError) -> [Token] {
        var tokens: [Token] = []
        tokens.reserveCapacity(numbers.count)
        for (index, number) in numbers.enumerated() {
            guard let number = number.wholeNumber, let token = Token(exactly: number), token >= 0 else {
                throw .expected("a token ID", at: "\(path)[\(index)]", found: number)
            }
            tokens.append(token)
        }
        return tokens
    }
}
