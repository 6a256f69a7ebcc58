import ArgumentParser

/// The formats of a report, by llama-bench's names.
enum ReportFormat: String, CaseIterable, ExpressibleByArgument {
    case markdown = "md"
    case json
    case jsonLines = "jsonl"
    case csv
    case sql
    case nothing = "none"

    /// The writer of this format.
    func report(_ layout: ReportLayout) -> any Report {
        switch self {
        case .markdown: MarkdownReport(layout)
        case .json: JSONReport()
        case .jsonLines: JSONLinesReport()
        case .csv: CSVReport()
        case .sql: SQLReport()
        case .nothing: EmptyReport()
        }
    }
}

/// What a table's columns must know of all results before the first one.
struct ReportLayout: Hashable {
    /// The models' names.
    var models: [String] = []
    /// The tests' names.
    var tests: [String] = []
    /// Whether the user chose the batch or chunk size.
    var showsBatch = false
    var showsChunk = false
    /// Whether the user chose the types of keys and values.
    var showsTypes = false
    /// Whether to show all columns, however wide the table becomes.
    var isWide = false
    /// The characters on a line of a table, unless all columns are shown.
    var width = MarkdownReport.width
}

/// Writes results one by one, so that they appear as they arrive. Every text ends with a line break or is empty.
protocol Report {
    /// The header, before the first result.
    mutating func begin() -> String
    /// One result.
    mutating func row(_ result: TestResult) -> String
    /// The footer, after the last result.
    mutating func end() -> String
    /// A table for one result or for all; empty in machine-readable formats, whose results contain the same.
    func note(_ text: () -> String) -> String
}

extension Report {
    func begin() -> String { "" }
    func end() -> String { "" }
    func note(_ text: () -> String) -> String { "" }
}

/// A report that is discarded.
struct EmptyReport: Report {
    func row(_ result: TestResult) -> String { "" }
}

/// A report and its destination.
struct ReportStream {
    private var report: any Report
    private let write: (String) -> Void

    init(_ report: any Report, write: @escaping (String) -> Void) {
        self.report = report
        self.write = write
    }

    mutating func begin() { write(report.begin()) }
    mutating func add(_ result: TestResult) { write(report.row(result)) }
    /// - Parameter notes: The tables for all results.
    mutating func end(_ notes: () -> String) {
        write(report.end())
        write(report.note(notes))
    }
}
