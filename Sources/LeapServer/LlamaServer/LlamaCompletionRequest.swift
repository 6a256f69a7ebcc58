import LeapEngine
import LeapJSON

/// A request of llama-server's own completions: a text or tokens that are continued (`/completion`), or a gap between two texts
/// that is filled, as editors ask for it (`/infill`).
struct LlamaCompletionRequest: Sendable {
    /// What to answer.
    let job: AnswerJob
    /// Whether it is streamed.
    let streams: Bool
    /// Whether the reply has tokens' probabilities.
    let showsProbabilities: Bool
    /// Whether the reply has token ids.
    let showsTokens: Bool
    /// The maximum number of tokens to generate; -1 for as many as fit.
    let maximum: Int

    static let prompt = Field.any("prompt", "a string, token IDs, or an array of both, which are concatenated")
    static let begun = Field.string("prompt", "the beginning of the text to insert; appended to the prefix")
    static let prefix = Field.string("input_prefix", "the text before the gap")
    static let suffix = Field.string("input_suffix", "the text after the gap")
    static let extra = Field.array(
        "input_extra", "further context, placed before the prefix: objects with filename and text")
    static let filename = Field.string("filename", "name of the file")
    static let text = Field.string("text", "contents of the file")
    static let maxTokens = Field.integer(
        "n_predict", -1...Int.max, "maximum number of tokens to generate; -1 for as many as fit in the context window")

    static let probabilities = Field.integer(
        "n_probs", 0...100, "number of alternatives to report for each token of the answer; 0 for none")
    static let returnTokens = Field.bool("return_tokens", "whether the reply includes the token IDs of the answer")

    /// The sampling fields, without the number of answers and stream options.
    private static let drawing =
        GenerationFields.all.filter {
            ![
                GenerationFields.choices.name, GenerationFields.streamOptions.name, GenerationFields.temperature.name,
            ].contains($0.name)
        } + [GenerationFields.anyTemperature]

    /// The fields of `/completion`, for the OpenAPI document.
    static let completionFields: [any DescribedField] =
        [prompt, maxTokens, probabilities, returnTokens] as [any DescribedField] + drawing

    /// The fields of `/infill`.
    static let infillFields: [any DescribedField] =
        [prefix, suffix, extra, begun, maxTokens, probabilities, returnTokens] as [any DescribedField] + drawing

    /// Unsupported fields that would change the answer.
    private static let undone: [UnsupportedField] =
        [
            UnsupportedField(
                "n", idle: [1], "is not supported here, where there is always one answer: use /v1/completions"),
            UnsupportedField("n_indent", idle: [0], "is not supported: omit it"),
            UnsupportedField("id_slot", idle: [-1], "is not supported: slots are assigned by the server. Omit it"),
            UnsupportedField(
                "image_data", idle: [[]], "is not supported: send images in messages to /v1/chat/completions"),
        ]
        + OtherDialects(length: maxTokens.name, stop: GenerationFields.stop.name, form: "'json_schema' or 'grammar'")
        .fields

    /// Reads `/completion`.
    static func completion(_ fields: FieldReader) throws(APIError) -> LlamaCompletionRequest {
        let options = try options(fields)
        if let pieces = try pieces(try fields.required(prompt), fields.path + prompt.name) {
            return try LlamaCompletionRequest(.pieces(pieces, options), fields)
        }
        let prompts = try CompletionRequest.prompts(fields, prompt, limit: 1)
        let subject: AnswerJob.Subject =
            switch prompts[0] {
            case .text(let text): .text(text, options)
            case .tokens(let tokens): .tokens(tokens, options)
            }
        return try LlamaCompletionRequest(subject, fields)
    }

    /// Texts and tokens that are one prompt; `nil` where the prompt is only of one kind.
    private static func pieces(_ prompt: JSONValue, _ path: String) throws(APIError) -> [CompletionRequest.Prompt]? {
        guard let elements = prompt.array, elements.contains(where: { $0.string != nil }),
            elements.contains(where: { $0.wholeNumber != nil })
        else { return nil }
        var pieces: [CompletionRequest.Prompt] = []
        for (index, element) in elements.enumerated() {
            if let text = element.string {
                pieces.append(.text(text))
            } else if element.wholeNumber != nil {
                pieces.append(.tokens(try CompletionRequest.tokens([element], path)))
            } else {
                throw .expected("a string or a token ID", at: "\(path)[\(index)]", found: element)
            }
        }
        return pieces
    }

    /// Reads `/infill`.
    static func infill(_ fields: FieldReader) throws(APIError) -> LlamaCompletionRequest {
        let before = try extraTexts(fields) + fields.required(prefix) + (fields(begun) ?? "")
        let after = try fields.required(suffix)
        return try LlamaCompletionRequest(.infill(prefix: before, suffix: after, options(fields)), fields)
    }

    private init(_ subject: AnswerJob.Subject, _ fields: FieldReader) throws(APIError) {
        job = AnswerJob(
            model: try fields(GenerationFields.model), subject: subject,
            fields: JobFields(
                subject: Self.prompt.name, constraint: GenerationFields.constraintField(fields, format: "grammar"),
                suffix: Self.suffix.name))
        streams = try fields(GenerationFields.stream) ?? false
        showsProbabilities = try (fields(Self.probabilities) ?? 0) > 0
        showsTokens = try fields(Self.returnTokens) ?? false
        maximum = try max(-1, fields(Self.maxTokens) ?? -1)
    }

    private static func options(_ fields: FieldReader) throws(APIError) -> AnswerOptions {
        let done = [probabilities.name, returnTokens.name]
        try fields.refuse(undone + GenerationFields.undone.filter { !done.contains($0.name) })
        var options = try GenerationFields.options(fields, temperature: GenerationFields.anyTemperature)
        let maximum = try fields(maxTokens) ?? -1
        options.maxTokens = maximum < 0 ? nil : maximum
        let probabilities = try fields(Self.probabilities) ?? 0
        let returnsTokens = try fields(returnTokens) ?? false
        // Token reports contain the token IDs as well.
        if probabilities > 0 || returnsTokens { options.topLogprobs = probabilities }
        return options
    }

    /// The additional texts, each after its file name.
    private static func extraTexts(_ fields: FieldReader) throws(APIError) -> String {
        var texts = ""
        for (index, element) in (try fields(extra) ?? []).enumerated() {
            let reader = try FieldReader(element, path: "\(fields.path)\(extra.name)[\(index)]")
            if let name = try reader(filename), !name.isEmpty { texts += name + "\n" }
            texts += try reader.required(text) + "\n\n"
        }
        return texts
    }
}
