import Foundation
import LeapBlocks

/// A table as llama-bench prints it, with columns of our own at its right.
///
/// `GB/s` is what a decoding test read, and `of limit` the share of what this machine can read. Memory is the peak
/// with the mapped file, and what the process has of its own.
struct MarkdownReport: Report {
    let showsChunk: Bool
    let showsTypes: Bool

    private struct Column: Sendable {
        let title: String
        let width: Int
        var isText = false
        let value: @Sendable (TestResult) -> String
    }

    private var columns: [Column] {
        Self.modelColumns + [Column(title: "threads", width: 7) { "\($0.point.threads)" }]
            + (showsChunk ? [Column(title: "n_ubatch", width: 8) { "\($0.point.chunk)" }] : [])
            + (showsTypes ? Self.typeColumns : []) + Self.resultColumns
    }

    private static let typeColumns = [
        Column(title: "type_k", width: 6, isText: true) { "\($0.model.keyValueTypes.keys)" },
        Column(title: "type_v", width: 6, isText: true) { "\($0.model.keyValueTypes.values)" },
    ]

    private static let modelColumns = [
        Column(title: "model", width: 30, isText: true) { $0.model.type },
        Column(title: "size", width: 10) { Quantity.binary($0.model.byteCount) },
        Column(title: "params", width: 10) { Quantity.parameters($0.model.parameterCount) },
        Column(title: "backend", width: 10, isText: true) { _ in "CPU" },
        Column(title: "kernels", width: 8, isText: true) { $0.kernels.rawValue },
    ]

    private static let resultColumns = [
        Column(title: "test", width: 15) { $0.point.test.name },
        Column(title: "t/s", width: 20) {
            String(format: "%.2f ± %.2f", $0.rates.mean, $0.rates.standardDeviation)
        },
        Column(title: "median", width: 8) { String(format: "%.2f", $0.rates.median) },
        Column(title: "p10 – p90", width: 17) {
            String(format: "%.2f – %.2f", $0.rates.quantile(0.1), $0.rates.quantile(0.9))
        },
        Column(title: "GB/s", width: 6) { $0.readRate.map { String(format: "%.1f", $0 / 1e9) } ?? "" },
        Column(title: "of limit", width: 8) { $0.readShare.map { String(format: "%.0f %%", $0 * 100) } ?? "" },
        Column(title: "peak", width: 10) { Quantity.binary($0.measurement.memory.peakResident) },
        Column(title: "private", width: 10) { Quantity.binary($0.measurement.memory.anonymous) },
    ]

    func begin() -> String {
        let titles = columns.map { Self.padded($0.title, $0) }
        let rules = columns.map { $0.isText ? String(repeating: "-", count: $0.width) : Self.rightRule($0.width) }
        return Self.line(titles) + Self.line(rules)
    }

    func row(_ result: TestResult) -> String {
        Self.line(columns.map { Self.padded($0.value(result), $0) })
    }

    func end() -> String { "" }

    func note(_ text: () -> String) -> String { text() }

    private static func line(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |\n" }

    private static func rightRule(_ width: Int) -> String { String(repeating: "-", count: width - 1) + ":" }

    private static func padded(_ text: String, _ column: Column) -> String {
        let padding = String(repeating: " ", count: max(0, column.width - text.count))
        return column.isText ? text + padding : padding + text
    }
}

/// Sizes and counts for people.
enum Quantity {
    /// `694.76 MiB`, `1.09 GiB`.
    static func binary(_ bytes: Int) -> String {
        let mebibytes = Double(bytes) / 0x1p20
        return mebibytes < 1024
            ? String(format: "%.2f MiB", mebibytes) : String(format: "%.2f GiB", mebibytes / 1024)
    }

    /// `134.52 M`, `1.17 B`.
    static func parameters(_ count: Int) -> String {
        let millions = Double(count) / 1e6
        return millions < 1000 ? String(format: "%.2f M", millions) : String(format: "%.2f B", millions / 1000)
    }
}
