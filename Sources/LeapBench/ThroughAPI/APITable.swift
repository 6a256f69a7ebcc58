import Foundation

/// A table of rates through the API next to the engine's.
struct APITable {
    private let pairs: [(engine: TestResult, api: TestResult)]

    /// Every result of a test through the API must follow the engine's.
    init(_ results: [TestResult]) {
        pairs = zip(results, results.dropFirst()).filter { !$0.point.test.isThroughAPI && $1.point.test.isThroughAPI }
    }

    /// Empty if no test went through the API.
    var text: String {
        guard !pairs.isEmpty else { return "" }
        var table = TextTable([
            .left("test", 16), .right("threads", 7), .right("engine t/s", 10), .right("API t/s", 10),
            .right("API / engine", 12),
        ])
        for (engine, api) in pairs {
            table.add([
                engine.point.test.name, "\(engine.threadsUsed)", String(format: "%.2f", engine.rates.median),
                String(format: "%.2f", api.rates.median),
                String(format: "%.3f", api.rates.median / engine.rates.median),
            ])
        }
        return "\n" + table.text
    }
}
