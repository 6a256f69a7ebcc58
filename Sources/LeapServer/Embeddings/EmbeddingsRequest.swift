import Foundation
import LeapEngine
import LeapJSON

/// A request to OpenAI's Embeddings API.
struct EmbeddingsRequest: Sendable {
    /// What to embed.
    let job: EmbeddingJob
    /// Whether vectors are written as base64 of little-endian 32-bit floats.
    let isBase64: Bool

    static let input = Field.any("input", "a string, an array of token IDs, or an array of either")
    static let format = Field.choice("encoding_format", ["float", "base64"], "encoding of the embeddings")
    static let dimensions = Field.integer(
        "dimensions", 1...Int.max, "number of dimensions; embeddings are truncated to the first ones")
    static let truncates = Field.bool("truncate", "true truncates texts that are too long (Jina API)")
    static let normalizes = Field.bool("normalize", "false keeps the lengths of vectors (vLLM)")
    static let user = Field.string("user", "identifies the end user; ignored")

    /// All fields, for the OpenAPI document.
    static let fields: [any DescribedField] = [
        GenerationFields.model, input, format, dimensions, truncates, normalizes, user,
    ]

    /// Fields of vLLM, llama-server, Jina and text-embeddings-inference that would change vectors.
    private static let undone = [
        UnsupportedField("truncate_prompt_tokens", "is not supported: shorten the texts, or set 'truncate' to true"),
        UnsupportedField(
            "add_special_tokens", idle: [true], "is not supported: put the tokens of /tokenize into 'input'"),
        UnsupportedField("use_activation", idle: [true], "is not supported: set 'normalize' to false"),
        UnsupportedField("normalized", idle: [true], "is not supported: set 'normalize' to false"),
        UnsupportedField("embd_normalize", idle: [2], "is not supported: set 'normalize' to false for -1"),
        UnsupportedField("embedding_type", idle: ["float"], "is not supported: use 'encoding_format'"),
        UnsupportedField("late_chunking", idle: [false], "is not supported: every text is read alone"),
        UnsupportedField("prompt_name", "is not supported: put the prompt into 'input'"),
    ]

    /// The most texts of a request.
    static let inputLimit = 2048

    init(_ fields: FieldReader) throws(APIError) {
        try fields.refuse(Self.undone)
        job = EmbeddingJob(
            model: try fields(GenerationFields.model),
            inputs: try CompletionRequest.prompts(fields, Self.input, limit: Self.inputLimit),
            request: EmbeddingRequest(
                dimensions: try fields(Self.dimensions), normalizes: try fields(Self.normalizes) ?? true,
                truncates: try fields(Self.truncates) ?? false))
        isBase64 = try fields(Self.format) == "base64"
        _ = try fields(Self.user)
    }

    /// The reply.
    func reply(_ finished: FinishedEmbeddings) -> JSONValue {
        let data = finished.vectors.enumerated().map { index, vector -> JSONValue in
            [
                "object": "embedding", "index": .integer(index),
                "embedding": isBase64 ? .string(VectorText.base64(vector)) : VectorText.json(vector),
            ]
        }
        let count = JSONValue.integer(finished.tokenCount)
        return [
            "object": "list", "data": .array(data), "model": .string(job.model ?? finished.card.id),
            "usage": ["prompt_tokens": count, "total_tokens": count],
        ]
    }
}

/// Vectors as they are sent.
enum VectorText {
    /// Numbers with as few digits as tell 32-bit floats apart.
    static func json(_ vector: [Float]) -> JSONValue {
        .array(vector.map { .number(Double($0.description) ?? Double($0)) })
    }

    /// Little-endian 32-bit floats in base64.
    static func base64(_ vector: [Float]) -> String {
        vector.map(\.bitPattern.littleEndian).withUnsafeBytes { Data($0) }.base64EncodedString()
    }
}
