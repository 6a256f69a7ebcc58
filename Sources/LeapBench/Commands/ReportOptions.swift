import ArgumentParser

/// The format of a report, and its destination.
struct ReportOptions: ParsableArguments {
    @Option(name: [.customShort("o"), .customLong("output")], help: "The format of the report on standard output.")
    var format = ReportFormat.markdown

    @Option(
        name: [.customLong("oe", withSingleDash: true), .customLong("output-err")],
        help: "The format of a second report, on standard error. Except with md, nothing else is written there.")
    var errorFormat = ReportFormat.nothing

    @Flag(help: "Show all columns of the table, not only as many as fit into 120 characters or the terminal.")
    var wide = false

    @Flag(help: "Report progress on standard error.")
    var progress = false

    @Flag(name: .shortAndLong, help: "The same as --progress.")
    var verbose = false

    /// Whether progress is printed on standard error.
    var showsProgress: Bool { progress || verbose }

    /// Whether a program reads standard error, so that nothing else may be printed there.
    var isErrorForPrograms: Bool { errorFormat != .nothing && errorFormat != .markdown }

    func validate() throws {
        guard !(isErrorForPrograms && showsProgress) else {
            throw ValidationError("-oe \(errorFormat.rawValue) needs standard error to itself: leave out --progress.")
        }
    }
}
