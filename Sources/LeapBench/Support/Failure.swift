import ArgumentParser
import Foundation

/// A failure that the tool reports in its own words.
struct BenchError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// An error on its way out of the process: one line on standard error, and an exit code.
enum Failure {
    /// Prints what the error has to say and leaves: with 64 for usage, with 1 for all else that failed.
    static func exit(with error: any Error) -> Never {
        // The parser's own messages, help among them, know where they belong.
        if LeapBench.exitCode(for: error) != .failure { LeapBench.exit(withError: error) }
        Console.note("error: \(error)")
        Foundation.exit(ExitCode.failure.rawValue)
    }
}
