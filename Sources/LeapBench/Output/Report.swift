import ArgumentParser

/// The formats of a report, by llama-bench's names.
enum ReportFormat: String, CaseIterable, ExpressibleByArgument {
    case markdown = "md"
    case json
    case jsonLines = "jsonl"
    case csv
    case sql
    case nothing = "none"

    /// What writes this format.
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

/// What is known of all results before the first one, for a table's columns.
struct ReportLayout: Hashable {
    /// What the models are called.
    var models: [String] = []
    /// What the tests are called.
    var tests: [String] = []
    /// Whether somebody chose how many tokens are handed over, or computed, at a time.
    var showsBatch = false
    var showsChunk = false
    /// Whether somebody chose how keys and values are kept.
    var showsTypes = false
    /// Whether all columns are wanted, however wide the table becomes.
    var isWide = false
}

/// Writes results one by one, so that they are seen as they come. Every text ends with a line break or is empty.
protocol Report {
    /// The header, before the first result.
    mutating func begin() -> String
    /// One result.
    mutating func row(_ result: TestResult) -> String
    /// What stands after the last result.
    mutating func end() -> String
    /// A table that goes with a result or with all of them; empty in formats for programs, whose results hold the same.
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

/// One report, and where it goes.
struct ReportStream {
    private var report: any Report
    private let write: (String) -> Void

    init(_ report: any Report, write: @escaping (String) -> Void) {
        self.report = report
        self.write = write
    }

    mutating func begin() { write(report.begin()) }
    mutating func add(_ result: TestResult) { write(report.row(result)) }
    /// - Parameter notes: What goes with all results.
    mutating func end(_ notes: () -> String) {
        write(report.end())
        write(report.note(notes))
    }
}
