import ArgumentParser

/// What a report looks like, and where it goes.
struct ReportOptions: ParsableArguments {
    @Option(name: [.customShort("o"), .customLong("output")], help: "The format of the report on standard output.")
    var format = ReportFormat.markdown

    @Option(
        name: [.customLong("oe", withSingleDash: true), .customLong("output-err")],
        help: "The format of a second report, on standard error; unless it is md, nothing else is written there.")
    var errorFormat = ReportFormat.nothing

    @Flag(help: "Show all columns of the table; otherwise as many as fit 120 characters.")
    var wide = false

    @Flag(help: "Say on standard error what is being measured.")
    var progress = false

    @Flag(name: .shortAndLong, help: "The same as --progress.")
    var verbose = false

    /// Whether it is said on standard error what is being measured.
    var showsProgress: Bool { progress || verbose }

    /// Whether a program reads standard error, in which nothing else may stand then.
    var isErrorForPrograms: Bool { errorFormat != .nothing && errorFormat != .markdown }

    func validate() throws {
        guard !(isErrorForPrograms && showsProgress) else {
            throw ValidationError("-oe \(errorFormat.rawValue) has standard error for itself: leave out --progress.")
        }
    }
}
