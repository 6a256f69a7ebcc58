public import LeapModels

/// What a text became.
public struct Embedding: Sendable, Hashable {
    /// One vector; with ``Pooling/none`` one for every token.
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
    /// Whether what does not fit into the model's context is left out at a text's end, and not refused.
    public var truncates = false

    /// The usual request.
    public init(
        pooling: Pooling? = nil, dimensions: Int? = nil, normalizes: Bool = true, truncates: Bool = false
    ) {
        self.pooling = pooling
        self.dimensions = dimensions
        self.normalizes = normalizes
        self.truncates = truncates
    }
}
