package import ArgumentParser
import Foundation

/// An error that ends the process: one line on standard error, and an exit code.
package struct Failure {
    private let error: any Error
    /// The tool.
    private let tool: any ParsableCommand.Type
    /// The command that was running; `nil` if none was recognised.
    private let command: (any ParsableCommand.Type)?

    /// - Parameters:
    ///   - tool: The root command.
    ///   - command: The command that was running; `nil` if none was recognised.
    package init(_ error: any Error, in tool: any ParsableCommand.Type, of command: (any ParsableCommand.Type)? = nil) {
        self.error = error
        self.tool = tool
        self.command = command
    }

    /// Prints the error and exits: with 64 for usage errors, with 1 for all others.
    package func exit() -> Never {
        if let error = error as? ValidationError, let command { exit(error, command) }
        // The parser's own messages, including help and version, know where to go.
        if tool.exitCode(for: error) == .validationFailure || error is CleanExit || isParserExit {
            tool.exit(withError: error)
        }
        Console.error("\(Self.label)\(Self.text(of: error))")
        Foundation.exit(ExitCode.failure.rawValue)
    }

    /// Reports an error in a command's arguments like the parser, which no longer knows the command once it runs.
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

    /// The prefix of every error. Tools pass it to the parser too, whose default is capitalised.
    package static let label = "error: "

    /// The error's own message or the system's: for a Foundation error, the file and the underlying cause.
    package static func text(of error: any Error) -> String {
        if let text = (error as? any LocalizedError)?.errorDescription { return text }
        if let error = error as? POSIXError { return SystemFailure(code: error.code.rawValue).description }
        guard let error = error as? CocoaError else { return "\(error)" }
        let cause = error.underlying.map(text(of:)) ?? error.localizedDescription
        return error.filePath.map { "\($0): \(cause)" } ?? cause
    }

    /// Whether a command threw help, version or an exit code.
    private var isParserExit: Bool {
        error is ExitCode || tool.exitCode(for: error) == .success
    }
}
