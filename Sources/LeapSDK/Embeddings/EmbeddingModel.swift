public import Foundation
import LeapEngine
import LeapModels
import LeapOps

/// A loaded model that makes vectors of texts: for searching by meaning, for sorting what was found, and for grouping.
///
///     let model = try await EmbeddingModel.load(url: URL(filePath: "LFM2.5-Embedding-350M-Q8_0.gguf"))
///     let vectors = try await model.embed(["The cat sleeps.", "A kitten naps."])
///     let likeness = EmbeddingModel.similarity(vectors[0], vectors[1])
///
/// It may be shared by any number of tasks. A text's vector depends on the text alone, to the last bit.
public final class EmbeddingModel: Sendable {
    private let engine: EmbeddingEngine

    private init(_ engine: EmbeddingEngine) { self.engine = engine }

    /// Loads a model from a GGUF file; of a split set, from the first file.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - cpuThreads: Threads that compute; as many as the process may use, when `nil`.
    /// - Throws: ``LeapError/modelLoadingFailure(_:_:)``.
    public static func load(url: URL, cpuThreads: Int? = nil) async throws -> EmbeddingModel {
        guard url.isFileURL else {
            throw LeapError.modelLoadingFailure("'\(url.absoluteString)' is not the URL of a file", nil)
        }
        return try await Task.detached { () throws -> EmbeddingModel in
            do {
                let compute = Compute(threads: cpuThreads)
                return EmbeddingModel(try EmbeddingEngine.load(path: url.path, compute: compute))
            } catch { throw LeapError.loading(url.path, error) }
        }.value
    }

    /// The length of a vector; `nil` if the model's file does not name a pooling, and ``embed(_:dimensions:)`` fails.
    public var dimensions: Int? {
        (try? engine.embedder.pooling(nil)).map(engine.embedder.vectorLength)
    }

    /// The most tokens of a text.
    public var maximumTokens: Int { engine.tokenLimit }

    /// The vectors of texts, of length 1, in their order.
    ///
    /// - Parameters:
    ///   - texts: None of them empty.
    ///   - dimensions: Truncates vectors to this length, for models that were trained for it (Matryoshka); `nil` keeps all.
    /// - Throws: ``LeapError``, also for a model that makes one vector per token; or `CancellationError`.
    public func embed(_ texts: [String], dimensions: Int? = nil) async throws -> [[Float]] {
        try await embeddings(of: texts, dimensions) { pooling in
            if pooling == .none { throw EmbeddingError.vectorForEveryToken }
            if pooling == .rank { throw EmbeddingError.scoresOnly }
        }.map(\.vector)
    }

    /// Returns for each text one vector per token, normalised to length 1, for late-interaction models such as ColBERT.
    ///
    /// Such models read queries and documents differently. If the model's file says how, as files of PyLate models do, each
    /// text gets the prefix of its role, queries are padded to a fixed length with a token of the model's, and documents get
    /// no vectors for punctuation.
    ///
    /// - Parameters:
    ///   - texts: What is embedded.
    ///   - areQueries: Whether the texts are queries and not documents.
    /// - Throws: As ``embed(_:dimensions:)``.
    public func embedTokens(_ texts: [String], areQueries: Bool = false) async throws -> [[[Float]]] {
        let request = EmbeddingRequest(pooling: Pooling.none, role: areQueries ? .query : .document)
        return try await failing { try await engine.embed(texts, request).map(\.vectors) }
    }

    /// How well a document answers a query; the higher, the better. Only scores of one model can be compared.
    ///
    /// A model with a classifier reads both together. One with a vector for every token lets each token of the query find its
    /// best match. With others it is the cosine of the two vectors.
    ///
    /// - Throws: As ``embed(_:dimensions:)``.
    public func score(query: String, document: String) async throws -> Double {
        try await failing { try await engine.rank([document], for: query).first?.score ?? 0 }
    }

    /// The cosine of the angle between two vectors, from -1 to 1: the greater, the more alike the texts.
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
