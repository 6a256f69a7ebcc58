public import LeapModels

/// What a text became.
public struct Embedding: Sendable, Hashable {
    /// One vector; with ``Pooling/none`` one per token, without the tokens of documents that the model skips.
    public let vectors: [[Float]]
    /// Tokens that were read.
    public let tokenCount: Int

    /// The text's vector; the first one if every token has its own.
    public var vector: [Float] { vectors.first ?? [] }
}

/// What is wanted of texts.
public struct EmbeddingRequest: Sendable, Hashable {
    /// How a text's rows become its vector; `nil` for the pooling type in the model's file.
    public var pooling: Pooling?
    /// Truncates vectors to this length, for models that were trained for it (Matryoshka); `nil` keeps all.
    public var dimensions: Int?
    /// Whether vectors have length 1. Scores are left as they are.
    public var normalizes = true
    /// Whether a text that is too long is truncated instead of refused: to the model's context or, for models trained with
    /// fixed query and document lengths, to that length.
    public var truncates = false
    /// Whether the texts are queries or documents. Only models that read the two differently use it.
    public var role = TextRole.document

    /// The usual request.
    public init(
        pooling: Pooling? = nil, dimensions: Int? = nil, normalizes: Bool = true, truncates: Bool = false,
        role: TextRole = .document
    ) {
        self.pooling = pooling
        self.dimensions = dimensions
        self.normalizes = normalizes
        self.truncates = truncates
        self.role = role
    }
}
