public import LeapModels

/// What a text became.
public struct Embedding: Sendable, Hashable {
    /// One vector; with ``Pooling/none`` one for every token, but for those of documents that a model leaves out.
    public let vectors: [[Float]]
    /// Tokens that were read.
    public let tokenCount: Int

    /// The text's vector; where every token has one, the first.
    public var vector: [Float] { vectors.first ?? [] }
}

/// What is wanted of texts.
public struct EmbeddingRequest: Sendable, Hashable {
    /// How a text's rows become its vector; as the model's file says when `nil`.
    public var pooling: Pooling?
    /// Numbers of a vector: the first ones of all, which models trained for it are good for. All when `nil`.
    public var dimensions: Int?
    /// Whether vectors have length 1. Scores are left as they are.
    public var normalizes = true
    /// Whether what does not fit into the model's context is left out at a text's end, and not refused; of models that read
    /// queries and documents of certain lengths, what is behind these.
    public var truncates = false
    /// What the texts are, to models that read queries otherwise than documents; to others it is all the same.
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
