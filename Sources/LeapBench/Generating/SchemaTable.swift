import Foundation

/// A table of the cost of schemas.
struct SchemaTable {
    private var table = TextTable([
        .left("model", 20), .right("threads", 7), .right("tokens", 6), .right("free t/s", 9), .right("schema t/s", 10),
        .right("overhead", 8), .right("first", 8), .right("compile ms", 10), .right("set-up ms", 9),
    ])

    /// Adds a row: the median of all rounds except the first, and the first.
    mutating func add(_ model: String, threads: Int, _ measurement: SchemaMeasurement) {
        let later = measurement.rounds.dropFirst()
        func rate(_ time: (SchemaMeasurement.Round) -> Duration) -> String {
            String(format: "%.2f", Statistics(later.map { Double($0.tokens) / (time($0) / .seconds(1)) }).median)
        }
        func percent(_ share: Double) -> String { String(format: "%+.1f %%", 100 * share) }
        table.add([
            model, "\(threads)", "\(later.map(\.tokens).max() ?? 0)", rate(\.free), rate(\.constrained),
            percent(Statistics(later.map(\.overhead)).median), percent(measurement.rounds.first?.overhead ?? 0),
            String(format: "%.1f", 1000 * measurement.compilation), String(format: "%.1f", 1000 * measurement.setUp),
        ])
    }

    var text: String { table.text }
}
