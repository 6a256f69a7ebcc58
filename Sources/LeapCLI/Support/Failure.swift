import ArgumentParser
import Foundation

/// An error on its way out of the process: one line on standard error, and an exit code.
struct Failure {
    private let error: any Error

    init(_ error: any Error) { self.error = error }

    /// Prints what the error has to say and leaves.
    func exit() -> Never {
        // The parser's own messages, help and version among them, know where they belong.
        if LeapCommand.exitCode(for: error) == .validationFailure || error is CleanExit || isParserExit {
            LeapCommand.exit(withError: error)
        }
        Console.error("error: \(Self.text(of: error))")
        Foundation.exit(ExitCode.failure.rawValue)
    }

    /// The error's own words, or the system's.
    static func text(of error: any Error) -> String {
        (error as? any LocalizedError)?.errorDescription ?? "\(error)"
    }

    /// Help, version and exit codes that a command threw.
    private var isParserExit: Bool {
        error is ExitCode || LeapCommand.exitCode(for: error) == .success
    }
}
