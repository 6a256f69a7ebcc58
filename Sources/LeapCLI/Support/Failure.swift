import ArgumentParser
import Foundation

/// An error on its way out of the process: one line on standard error, and an exit code.
struct Failure {
    private let error: any Error
    /// The command that was running; `nil` where none was found.
    private let command: (any ParsableCommand.Type)?

    init(_ error: any Error, of command: (any ParsableCommand.Type)? = nil) {
        self.error = error
        self.command = command
    }

    /// Prints what the error has to say and leaves.
    func exit() -> Never {
        if let error = error as? ValidationError, let command { Self.exit(error, command) }
        // The parser's own messages, help and version among them, know where they belong.
        if LeapCommand.exitCode(for: error) == .validationFailure || error is CleanExit || isParserExit {
            LeapCommand.exit(withError: error)
        }
        Console.error("error: \(Self.text(of: error))")
        Foundation.exit(ExitCode.failure.rawValue)
    }

    /// Says what is wrong with a command's arguments, as the parser does, which knows no command any more once it runs.
    private static func exit(_ error: ValidationError, _ command: any ParsableCommand.Type) -> Never {
        let name = [LeapCommand.configuration.commandName, command.configuration.commandName].compactMap(\.self)
        Console.error(
            """
            Error: \(error.message)
            Usage: \(LeapCommand.usageString(for: command))
              See '\(name.joined(separator: " ")) --help' for more information.
            """)
        Foundation.exit(ExitCode.validationFailure.rawValue)
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
