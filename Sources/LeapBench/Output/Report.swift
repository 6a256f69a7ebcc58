import ArgumentParser

/// The formats of a report, by llama-bench's names.
enum ReportFormat: String, CaseIterable, ExpressibleByArgument {
    case markdown = "md"
    case json
    case jsonLines = "jsonl"
    case csv

    /// What writes this format.
    ///
    /// - Parameters:
    ///   - showsChunk: Whether a table tells the rows of a pass.
    ///   - showsTypes: Whether a table tells how keys and values are kept.
    func report(showsChunk: Bool, showsTypes: Bool) -> any Report {
        switch self {
        case .markdown: MarkdownReport(showsChunk: showsChunk, showsTypes: showsTypes)
        case .json: JSONReport()
        case .jsonLines: JSONLinesReport()
        case .csv: CSVReport()
        }
    }
}

/// Writes results one by one, so that they are seen as they come. Every text ends with a line break or is empty.
protocol Report {
    /// What stands before the first result.
    mutating func begin() -> String
    /// One result.
    mutating func row(_ result: TestResult) -> String
    /// What stands after the last result.
    mutating func end() -> String
    /// A table that goes with a result or with all of them; empty in formats for programs, whose results hold the same.
    func note(_ text: () -> String) -> String
}

extension Report {
    func note(_ text: () -> String) -> String { "" }
}
