import LeapEngine
import LeapJSON
import OrderedCollections

/// A request to ollama's embedding API: for several texts or, in its older form, one.
struct OllamaEmbedRequest: Sendable {
    /// What to embed; if empty, the model is only loaded.
    let job: EmbeddingJob
    /// How long the model stays loaded; negative means forever, `nil` leaves it unchanged.
    let keepAlive: Duration?
    /// Whether it is the older form.
    private let isOlder: Bool

    static let input = Field.any(
        "input", "a string or an array of strings; if absent or empty, the model is only loaded")
    static let prompt = Field.string("prompt", "a string; if absent or empty, the model is only loaded")
    static let truncate = Field.bool("truncate", "false rejects a text that is too long instead of truncating it")
    /// Fields of texts, for the OpenAPI document.
    static let fields: [any DescribedField] = [
        OllamaFields.model, input, truncate, EmbeddingsRequest.dimensions, OllamaFields.keepAlive,
    ]
    /// Fields of the older form, for the OpenAPI document.
    static let olderFields: [any DescribedField] = [OllamaFields.model, prompt, OllamaFields.keepAlive]

    /// Reads a request of `/api/embed`.
    init(texts fields: FieldReader) throws(APIError) {
        let request = EmbeddingRequest(
            dimensions: try fields(EmbeddingsRequest.dimensions), truncates: try fields(Self.truncate) ?? true)
        job = EmbeddingJob(
            model: try fields.required(OllamaFields.model), inputs: try Self.texts(try fields(Self.input)),
            request: request)
        keepAlive = try OllamaFields.keepAliveDuration(fields)
        isOlder = false
    }

    /// Reads a request of `/api/embeddings`, whose vectors have the length that the model gives them.
    init(text fields: FieldReader) throws(APIError) {
        let prompt = try fields(Self.prompt) ?? ""
        job = EmbeddingJob(
            model: try fields.required(OllamaFields.model), inputs: prompt.isEmpty ? [] : [.text(prompt)],
            request: EmbeddingRequest(normalizes: false, truncates: true))
        keepAlive = try OllamaFields.keepAliveDuration(fields)
        isOlder = true
    }

    private static func texts(_ value: JSONValue?) throws(APIError) -> [CompletionRequest.Prompt] {
        guard let value, value != "" else { return [] }
        if let text = value.string { return [.text(text)] }
        guard let elements = value.array, elements.count <= EmbeddingsRequest.inputLimit else {
            throw .expected("a string, or at most \(EmbeddingsRequest.inputLimit) strings", at: "input", found: value)
        }
        var texts: [CompletionRequest.Prompt] = []
        for (index, element) in elements.enumerated() {
            guard let text = element.string else {
                throw .expected("a string", at: "input[\(index)]", found: element)
            }
            texts.append(.text(text))
        }
        return texts
    }

    /// The reply.
    ///
    /// - Parameter duration: How long all of it took.
    func reply(_ finished: FinishedEmbeddings?, _ duration: Duration) -> JSONValue {
        let vectors = (finished?.vectors ?? []).map(VectorText.json)
        if isOlder { return ["embedding": vectors.first ?? []] }
        return [
            "model": .string(job.model ?? ""), "embeddings": .array(vectors),
            "total_duration": Self.nanoseconds(duration),
            "load_duration": Self.nanoseconds(finished?.loading ?? duration),
            "prompt_eval_count": .integer(finished?.tokenCount ?? 0),
        ]
    }

    private static func nanoseconds(_ duration: Duration) -> JSONValue { .integer(Int(duration / .nanoseconds(1))) }
}
