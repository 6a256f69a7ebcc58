import ArgumentParser
import Foundation
import LeapEngine
import LeapJSON
import LeapToolSupport

/// `leap rerank`: ranks documents by how well they answer a query.
struct RerankCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rerank", abstract: "Sorts documents by how well they answer a query.",
        discussion: """
            A model with a classification head scores the query and a document together. A model with a vector per \
            token sums the best match of each query token. Others use the cosine similarity of two vectors.
            """)

    @Argument(help: "A GGUF file, or a model name, which is downloaded if necessary.", completion: .file())
    var model: String?

    @Option(name: [.customShort("q"), .long], help: "The query.")
    var query: String

    @Argument(help: "The documents.")
    var documents: [String] = []

    @Flag(help: "Print one JSON object.")
    var json = false

    @OptionGroup var computeFlags: ComputeFlags
    @OptionGroup(title: "Model") var source: ModelFlags
    @OptionGroup(title: "Download") var hub: HubFlags
    @OptionGroup var foreign: ForeignFlags

    /// The engine counts texts from the query on.
    private static func naming(_ error: EmbeddingError) -> any Error {
        func name(_ number: Int) -> String { number == 1 ? "the query" : "document \(number - 1)" }
        return switch error {
        case .emptyText(let number): CommandError("\(name(number)) is empty: remove it")
        case .tooManyTokens(let number, let count, let limit):
            CommandError("\(name(number)) has \(count) tokens, but the model reads at most \(limit): shorten it")
        default: error
        }
    }

    func run() async throws {
        try foreign.heed()
        let path = try await hub.bring(source.onlyModel(source.isGiven ? nil : model)).path
        let documents = (source.isGiven ? model.map { [$0] } ?? [] : []) + self.documents
        guard !documents.isEmpty else { throw CommandError("no documents to rank") }
        let engine = try ModelFailure.loading(path) {
            try EmbeddingEngine.load(path: path, compute: try computeFlags.makeCompute())
        }
        let ranked = try await EmbeddingFailure.naming(path, advice: "use a model for reranking or embeddings") {
            do { return try await engine.rank(documents, for: query) } catch let error as EmbeddingError {
                throw Self.naming(error)
            }
        }
        guard json else {
            for item in ranked { Console.line(String(format: "%.6f\t", item.score) + documents[item.index]) }
            return
        }
        let results = ranked.map { item -> JSONValue in
            [
                "index": .integer(item.index), "relevance_score": .number(item.score),
                "document": ["text": .string(documents[item.index])],
            ]
        }
        Console.line((["object": "list", "results": .array(results)] as JSONValue).text())
    }
}
