public import Foundation
import LeapEngine
import LeapModels
import LeapOps

/// A loaded model that computes embedding vectors of texts, for semantic search, reranking and clustering.
///
///     let model = try await EmbeddingModel.load(url: URL(filePath: "LFM2.5-Embedding-350M-Q8_0.gguf"))
///     let vectors = try await model.embed(["The cat sleeps.", "A kitten naps."])
///     let likeness = EmbeddingModel.similarity(vectors[0], vectors[1])
///
/// A model can be shared by any number of tasks. The vector of a text depends on that text alone, down to the last bit.
public final class EmbeddingModel: Sendable {
    private let engine: EmbeddingEngine

    private init(_ engine: EmbeddingEngine) { self.engine = engine }

    /// Loads a model from a GGUF file, without blocking the calling thread.
    ///
    /// - Parameters:
    ///   - url: The file; the first one of a split set.
    ///   - cpuThreads: The number of compute threads; `nil` for as many as the process may use.
    /// - Throws: ``LeapError/modelLoadingFailure(_:_:)`` if the model cannot be loaded.
    public static func load(url: URL, cpuThreads: Int? = nil) async throws -> EmbeddingModel {
        guard url.isFileURL else {
            throw LeapError.modelLoadingFailure("'\(url.absoluteString)' is not a file URL", nil)
        }
        return try await Task.detached { () throws -> EmbeddingModel in
            do {
                let compute = Compute(threads: cpuThreads)
                return EmbeddingModel(try EmbeddingEngine.load(path: url.path, compute: compute))
            } catch { throw LeapError.loading(url.path, error) }
        }.value
    }

    /// The length of a vector; `nil` if the model's file specifies no pooling, in which case ``embed(_:dimensions:)``
    /// fails.
    public var dimensions: Int? {
        (try? engine.embedder.pooling(nil)).map(engine.embedder.vectorLength)
    }

    /// The maximum number of tokens in a text.
    public var maximumTokens: Int { engine.tokenLimit }

    /// Returns one vector per text, in order, each normalised to length 1.
    ///
    /// - Parameters:
    ///   - texts: The texts, none of which may be empty.
    ///   - dimensions: Truncates the vectors to this length, for models trained for it (Matryoshka); `nil` for the full
    ///     length.
    /// - Throws: ``LeapError``, also if the model computes one vector per token or only scores; or `CancellationError`.
    public func embed(_ texts: [String], dimensions: Int? = nil) async throws -> [[Float]] {
        try await embeddings(of: texts, dimensions) { pooling in
            if pooling == .none { throw EmbeddingError.vectorForEveryToken }
            if pooling == .rank { throw EmbeddingError.scoresOnly }
        }.map(\.vector)
    }

    /// Returns for each text one vector per token, normalised to length 1, for late-interaction models such as ColBERT.
    ///
    /// Such models treat queries and documents differently. If the model's file specifies how, as files of PyLate
    /// models do, each text gets the prefix of its role, queries are padded to a fixed length with a special token, and
    /// documents get no vectors for punctuation.
    ///
    /// - Parameters:
    ///   - texts: The texts to embed.
    ///   - areQueries: Whether the texts are queries rather than documents.
    /// - Throws: ``LeapError`` or `CancellationError`.
    public func embedTokens(_ texts: [String], areQueries: Bool = false) async throws -> [[[Float]]] {
        let request = EmbeddingRequest(pooling: Pooling.none, role: areQueries ? .query : .document)
        return try await failing { try await engine.embed(texts, request).map(\.vectors) }
    }

    /// Scores how well a document answers a query: the higher, the better. Scores of different models cannot be
    /// compared.
    ///
    /// A model with a classifier reads both texts together. A model with one vector per token matches each token of the
    /// query to its most similar token of the document. For other models, the score is the cosine similarity of the two
    /// vectors.
    ///
    /// - Throws: ``LeapError`` or `CancellationError`.
    public func score(query: String, document: String) async throws -> Double {
        try await failing { try await engine.rank([document], for: query).first?.score ?? 0 }
    }

    /// Returns the cosine similarity of two vectors, from -1 to 1: the greater, the more similar the texts.
    public static func similarity(_ a: [Float], _ b: [Float]) -> Double { VectorMath.cosine(a, b) }

    private func embeddings(
        of texts: [String], _ dimensions: Int?, _ check: (Pooling) throws -> Void
    ) async throws -> [Embedding] {
        try await failing {
            try check(try engine.embedder.pooling(nil))
            return try await engine.embed(texts, EmbeddingRequest(dimensions: dimensions))
        }
    }

    /// Runs work and converts its errors to ``LeapError``.
    private func failing<Result>(_ work: () async throws -> Result) async throws -> Result {
        do { return try await work() } catch let error as CancellationError { throw error } catch {
            throw LeapError.generating(error)
        }
    }
}
