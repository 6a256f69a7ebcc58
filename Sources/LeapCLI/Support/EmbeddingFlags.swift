import ArgumentParser
import LeapEngine
import LeapModels

/// How a text's rows are pooled into its vector.
struct EmbeddingFlags: ParsableArguments {
    @Option(
        help: "How token vectors are pooled: none, mean, cls, last, or rank for a score (default: the model's).")
    private var pooling: String?

    @Option(help: "Truncate vectors to this many dimensions, for models trained for it (default: all).")
    private var dimensions: Int?

    @Flag(name: .customLong("no-normalize"), help: "Do not normalise vectors to length 1.")
    private var keepsLength = false

    /// llama-embedding's flag for the same.
    @Option(name: .customLong("embd-normalize"), parsing: .unconditional, help: .hidden)
    private var norm = 2

    @Flag(help: "Truncate texts that do not fit into the model's context.")
    private var truncate = false

    @Flag(help: "Treat the texts as queries, which some models encode differently from documents.")
    private var query = false

    func validate() throws {
        if let pooling, Pooling(named: pooling) == nil {
            let names = Pooling.allCases.map(\.name).joined(separator: ", ")
            throw ValidationError("--pooling must be one of \(names), not '\(pooling)'.")
        }
        if ![2, -1].contains(norm) {
            throw ValidationError("--embd-normalize must be 2 (vectors of length 1) or -1 (as they are), not \(norm).")
        }
        if let dimensions, dimensions < 1 {
            throw ValidationError("--dimensions must be at least 1, not \(dimensions).")
        }
    }

    /// The request that the flags describe.
    var request: EmbeddingRequest {
        EmbeddingRequest(
            pooling: pooling.flatMap(Pooling.init(named:)), dimensions: dimensions,
            normalizes: !keepsLength && norm == 2, truncates: truncate, role: query ? .query : .document)
    }
}
