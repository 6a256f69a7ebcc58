import LeapEngine
import LeapJSON

/// A request of llama-server's own completions: a text or tokens that are continued (`/completion`), or a gap between two texts
/// that is filled, as editors ask for it (`/infill`).
struct LlamaCompletionRequest: Sendable {
    /// What is to be answered.
    let order: AnswerOrder
    /// Whether it is sent while it is written.
    let streams: Bool
    /// Whether the reply has tokens' probabilities.
    let showsProbabilities: Bool
    /// Whether the reply has token ids.
    let showsTokens: Bool
    /// The most tokens of the answer; -1 for as many as there is room for.
    let maximum: Int

    static let prompt = Field.any("prompt", "a text, tokens, or an array of both that stand one behind the other")
    static let begun = Field.string("prompt", "what is there of the gap already, behind the prefix")
    static let prefix = Field.string("input_prefix", "what stands before the gap")
    static let suffix = Field.string("input_suffix", "what stands behind the gap")
    static let extra = Field.array(
        "input_extra", "other texts that may help, objects of filename and text, which are put before the prefix")
    static let filename = Field.string("filename", "where the text is from")
    static let text = Field.string("text", "the text")
    static let maxTokens = Field.integer(
        "n_predict", -1...Int.max, "the most tokens of the answer; -1: as many as there is room for")

    static let probabilities = Field.integer(
        "n_probs", 0...100, "how many likely tokens are told in the place of each token of the answer; 0 tells none")
    static let returnTokens = Field.bool("return_tokens", "whether the answer's tokens are told by their numbers")

    /// How tokens are drawn: one answer, and no further options of streams.
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

    /// What would change an answer, and is not there.
    private static let undone = [
        UndoneField("n", idle: [1], "is for /v1/completions: here is one answer"),
        UndoneField("n_indent", idle: [0], "is not implemented: leave it out"),
        UndoneField("id_slot", idle: [-1], "cannot be chosen: leave it out"),
        UndoneField("image_data", idle: [[]], "is for /v1/chat/completions, in messages"),
        UndoneField(
            "response_format", idle: UndoneField.idleFormats,
            "is for /v1/chat/completions: give 'json_schema' or 'grammar'"),
        UndoneField("max_tokens", "is for /v1/completions: give 'n_predict'"),
        UndoneField("max_completion_tokens", "is for /v1/chat/completions: give 'n_predict'"),
    ]

    /// Reads `/completion`.
    static func completion(_ fields: FieldReader) throws(APIError) -> LlamaCompletionRequest {
        let options = try options(fields)
        if let pieces = try pieces(try fields.required(prompt), fields.path + prompt.name) {
            return try LlamaCompletionRequest(.pieces(pieces, options), fields)
        }
        let prompts = try CompletionRequest.prompts(fields, prompt, limit: 1)
        let subject: AnswerOrder.Subject =
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
                throw .expected("a text or a token's number", at: "\(path)[\(index)]", found: element)
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

    private init(_ subject: AnswerOrder.Subject, _ fields: FieldReader) throws(APIError) {
        order = AnswerOrder(
            model: try fields(GenerationFields.model), subject: subject,
            fields: OrderFields(
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
        // What is known of tokens has their numbers as well.
        if probabilities > 0 || returnsTokens { options.topLogprobs = probabilities }
        return options
    }

    /// The other texts, each after its name.
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
