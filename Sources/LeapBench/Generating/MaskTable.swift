import Foundation

/// A table of the costs of schemas and masks.
struct MaskTable {
    private var table = TextTable([
        .left("model", 20), .right("tokens", 7), .right("arrange ms", 10), .right("schemas", 7), .right("refused", 7),
        .right("compile ms p50", 8), .right("p95", 7), .right("p99", 7), .right("first µs p50", 8), .right("p95", 7),
        .right("masks", 8), .right("µs p50", 7), .right("p99", 7),
    ])

    /// Adds a row.
    mutating func add(_ model: String, _ measurement: MaskMeasurement) {
        let compilations = Statistics(measurement.compilations)
        let (first, masks) = (Statistics(measurement.firstMasks), Statistics(measurement.masks))
        func milliseconds(_ seconds: Double) -> String { String(format: "%.2f", 1e3 * seconds) }
        func microseconds(_ seconds: Double) -> String { String(format: "%.1f", 1e6 * seconds) }
        table.add([
            model, "\(measurement.vocabularySize)", milliseconds(Statistics(measurement.arrangements).median),
            "\(compilations.count)", "\(measurement.refusals)", milliseconds(compilations.median),
            milliseconds(compilations.quantile(0.95)), milliseconds(compilations.quantile(0.99)),
            microseconds(first.median), microseconds(first.quantile(0.95)), "\(masks.count)",
            microseconds(masks.median), microseconds(masks.quantile(0.99)),
        ])
        if measurement.rejections > 0 {
            table.add(["  documents rejected by the masks of their schemas: \(measurement.rejections)"])
        }
    }

    var text: String { table.text }
}
