import Foundation
import LeapBlocks

/// A table for people, as llama-bench prints one, with columns of our own.
///
/// It has as many columns as fit on a line of 120 characters, or of a narrower terminal, or all. `GB/s` is the read rate of a
/// decoding test, and `of limit` the fraction of what this machine can read. Memory is the peak including the mapped file, and
/// the process's private memory.
struct MarkdownReport: Report {
    /// The width of a table that was not requested to be wide, where no terminal is narrower.
    static let width = 120

    private let columns: [Column]
    private let hasModels: Bool

    private struct Column: Sendable {
        let title: String
        let width: Int
        /// The priority for dropping columns in a narrow table: the largest rank is dropped first; 0 is never dropped.
        var rank = 0
        var isText = false
        let value: @Sendable (TestResult) -> String
    }

    init(_ layout: ReportLayout) {
        hasModels = !layout.models.isEmpty
        let columns = Self.columns(layout)
        self.columns = layout.isWide ? columns : Self.fitting(columns, layout.width)
    }

    /// The columns, without those of the highest ranks that would make the table too wide.
    private static func fitting(_ columns: [Column], _ width: Int) -> [Column] {
        let ranks = Set(columns.map(\.rank)).sorted()
        let tables = ranks.map { rank in columns.filter { $0.rank <= rank } }
        return tables.last { tableWidth($0) <= width } ?? tables.first ?? []
    }

    /// Each cell has a space on both sides and a bar on its right; one more bar begins the line.
    private static func tableWidth(_ columns: [Column]) -> Int { columns.reduce(1) { $0 + $1.width + 3 } }

    /// The titles; nothing if only the machine is measured, which the notes report.
    func begin() -> String {
        guard hasModels else { return "" }
        let titles = columns.map { Self.padded($0.title, $0) }
        let rules = columns.map { $0.isText ? String(repeating: "-", count: $0.width) : Self.rightRule($0.width) }
        return Self.line(titles) + Self.line(rules)
    }

    func row(_ result: TestResult) -> String {
        Self.line(columns.map { Self.padded($0.value(result), $0) })
    }

    func note(_ text: () -> String) -> String { text() }

    private static func line(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |\n" }

    private static func rightRule(_ width: Int) -> String { String(repeating: "-", count: width - 1) + ":" }

    private static func padded(_ text: String, _ column: Column) -> String {
        let padding = String(repeating: " ", count: max(0, column.width - text.count))
        return column.isText ? text + padding : padding + text
    }
}

// MARK: - Columns

extension MarkdownReport {
    /// All columns, from left to right.
    private static func columns(_ layout: ReportLayout) -> [Column] {
        [Column(title: "model", width: longest(layout.models, 5), isText: true) { $0.model.type }] + modelColumns
            + settingColumns(layout) + [Column(title: "test", width: longest(layout.tests, 5)) { $0.point.test.name }]
            + resultColumns
    }

    private static func longest(_ texts: [String], _ least: Int) -> Int { max(texts.map(\.count).max() ?? 0, least) }

    private static let modelColumns = [
        Column(title: "size", width: 10, rank: 2) { Quantity.binary($0.model.byteCount) },
        Column(title: "params", width: 8, rank: 6) { Quantity.parameters($0.model.parameterCount) },
        Column(title: "backend", width: 7, rank: 10, isText: true) { _ in "CPU" },
        Column(title: "kernels", width: 8, rank: 8, isText: true) { $0.kernels.rawValue },
    ]

    private static func settingColumns(_ layout: ReportLayout) -> [Column] {
        [Column(title: "threads", width: 7) { "\($0.point.threads)" }]
            + (layout.showsBatch ? [Column(title: "n_batch", width: 7) { "\($0.point.batch)" }] : [])
            + (layout.showsChunk ? [Column(title: "n_ubatch", width: 8) { "\($0.point.chunk)" }] : [])
            + (layout.showsTypes ? typeColumns : [])
    }

    private static let typeColumns = [
        Column(title: "type_k", width: 6, isText: true) { "\($0.model.keyValueTypes.keys)" },
        Column(title: "type_v", width: 6, isText: true) { "\($0.model.keyValueTypes.values)" },
    ]

    private static let resultColumns = [
        Column(title: "t/s", width: 17) {
            Quantity.rate($0.rates.mean, "±", $0.rates.standardDeviation)
        },
        Column(title: "median", width: 8, rank: 5) { Quantity.rate($0.rates.median) },
        Column(title: "p10 – p90", width: 17, rank: 9) {
            Quantity.rate($0.rates.quantile(0.1), "–", $0.rates.quantile(0.9))
        },
        Column(title: "GB/s", width: 6, rank: 3) { $0.readRate.map { String(format: "%.1f", $0 / 1e9) } ?? "" },
        Column(title: "of limit", width: 8, rank: 1) {
            $0.readShare.map { String(format: "%.0f %%", $0 * 100) } ?? ""
        },
        Column(title: "peak", width: 10, rank: 4) { Quantity.binary($0.measurement.memory.peakResident) },
        Column(title: "private", width: 10, rank: 7) { Quantity.binary($0.measurement.memory.anonymous) },
    ]
}

/// Sizes, counts and rates for people.
enum Quantity {
    /// `256.12`; whole from ten thousand on.
    static func rate(_ value: Double) -> String { String(format: value < 10_000 ? "%.2f" : "%.0f", value) }

    /// Two rates with the same number of digits: `72.00 ± 40.27`.
    static func rate(_ first: Double, _ sign: String, _ second: Double) -> String {
        let format = max(first, second) < 10_000 ? "%.2f" : "%.0f"
        return String(format: format, first) + " \(sign) " + String(format: format, second)
    }

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
