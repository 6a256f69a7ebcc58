package import ArgumentParser
import Foundation

/// An error on its way out of the process: one line on standard error, and an exit code.
package struct Failure {
    private let error: any Error
    /// The tool.
    private let tool: any ParsableCommand.Type
    /// The command that was running; `nil` where none was found.
    private let command: (any ParsableCommand.Type)?

    /// - Parameters:
    ///   - tool: The command that all others are part of.
    ///   - command: The one that was running; `nil` where none was found.
    package init(_ error: any Error, in tool: any ParsableCommand.Type, of command: (any ParsableCommand.Type)? = nil) {
        self.error = error
        self.tool = tool
        self.command = command
    }

    /// Prints what the error has to say and leaves: with 64 for usage, with 1 for all else that failed.
    package func exit() -> Never {
        if let error = error as? ValidationError, let command { exit(error, command) }
        // The parser's own messages, help and version among them, know where they belong.
        if tool.exitCode(for: error) == .validationFailure || error is CleanExit || isParserExit {
            tool.exit(withError: error)
        }
        Console.error("\(Self.label)\(Self.text(of: error))")
        Foundation.exit(ExitCode.failure.rawValue)
    }

    /// Says what is wrong with a command's arguments, as the parser does, which knows no command any more once it runs.
    private func exit(_ error: ValidationError, _ command: any ParsableCommand.Type) -> Never {
        let name = [tool.configuration.commandName, command.configuration.commandName].compactMap(\.self)
        Console.error(
            """
            \(Self.label)\(error.message)
            Usage: \(tool.usageString(for: command))
              See '\(name.joined(separator: " ")) --help' for more information.
            """)
        Foundation.exit(ExitCode.validationFailure.rawValue)
    }

    /// What every error begins with. Tools give it to the parser as well, which would write it in capitals.
    package static let label = "error: "

    /// The error's own words, or the system's: of an error of Foundation's, the file and the cause beneath.
    package static func text(of error: any Error) -> String {
        if let text = (error as? any LocalizedError)?.errorDescription { return text }
        if let error = error as? POSIXError { return SystemFailure(code: error.code.rawValue).description }
        guard let error = error as? CocoaError else { return "\(error)" }
        let cause = error.underlying.map(text(of:)) ?? error.localizedDescription
        return error.filePath.map { "\($0): \(cause)" } ?? cause
    }

    /// Help, version and exit codes that a command threw.
    private var isParserExit: Bool {
        error is ExitCode || tool.exitCode(for: error) == .success
    }
}
