package import ArgumentParser

/// The arguments of the process, adapted to the parser.
package enum ProcessArguments {
    /// Flags with one dash that begin like the parser's own `-h`. If a command line has any error, the parser takes
    /// them for combined short flags, finds the request for help among these, and does not report the error.
    private static let spellings = [
        "-hf": "--hf-repo", "-hfr": "--hf-repo", "-hff": "--hf-file", "-hft": "--hf-token",
        "-hfd": "--hf-repo-draft", "-hfrd": "--hf-repo-draft",
    ]

    /// The arguments of this process for the parser.
    ///
    /// - Throws: A usage error if one of them is not UTF-8. Swift replaces its other bytes, so that a path would name
    ///   another file.
    package static func forParser() throws(ValidationError) -> [String] {
        let arguments = UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
        for (number, argument) in arguments.enumerated() {
            guard let argument, String(validatingCString: argument) == nil else { continue }
            throw ValidationError(
                "Argument \(number), '\(String(cString: argument))', is not valid UTF-8: rename the file if it is one.")
        }
        return forParser(CommandLine.arguments)
    }

    /// The arguments without the program's name, with these flags in their long spelling.
    package static func forParser(_ arguments: [String]) -> [String] {
        arguments.dropFirst().map { argument in
            let name = argument.prefix { $0 != "=" }
            return spellings[String(name)].map { $0 + argument.dropFirst(name.count) } ?? argument
        }
    }
}
