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

    /// The numbers of a vector; `nil` where the model's file does not say how it makes one, and ``embed(_:dimensions:)`` fails.
    public var dimensions: Int? {
        (try? engine.embedder.pooling(nil)).map(engine.embedder.vectorLength)
    }

    /// The most tokens of a text.
    public var maximumTokens: Int { engine.tokenLimit }

    /// The vectors of texts, of length 1, in their order.
    ///
    /// - Parameters:
    ///   - texts: None of them empty.
    ///   - dimensions: Numbers of a vector: the first of all, for models that were trained for it. All when `nil`.
    /// - Throws: ``LeapError``, also for a model that has a vector for every token; or `CancellationError`.
    public func embed(_ texts: [String], dimensions: Int? = nil) async throws -> [[Float]] {
        try await embeddings(of: texts, dimensions) { pooling in
            if pooling == .none { throw EmbeddingError.vectorForEveryToken }
            if pooling == .rank { throw EmbeddingError.scoresOnly }
        }.map(\.vector)
    }

    /// For each text a vector of every token, of length 1: what models for late interaction are trained for.
    ///
    /// Such models read queries otherwise than documents. Where a model's file says how, as of those that PyLate trained, each has
    /// a prefix, queries are filled up to their length with a token of the model's, and documents have no vectors of
    /// punctuation.
    ///
    /// - Parameters:
    ///   - texts: What is embedded.
    ///   - areQueries: Whether the texts are searched for, and not found.
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

    /// Does something whose errors are LeapSDK's.
    private func failing<Result>(_ work: () async throws -> Result) async throws -> Result {
        do { return try await work() } catch let error as CancellationError { throw error } catch {
            throw LeapError.generating(error)
        }
    }
}
