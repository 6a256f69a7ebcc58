/// The arguments of the process as the parser must see them.
package enum ProcessArguments {
    /// Flags with one dash that begin like the parser's own `-h`. Where anything is wrong with a command line, the parser
    /// takes them for packed letters, finds the request for help among these, and says nothing of the mistake.
    private static let spellings = [
        "-hf": "--hf-repo", "-hfr": "--hf-repo", "-hff": "--hf-file", "-hft": "--hf-token",
        "-hfd": "--hf-repo-draft", "-hfrd": "--hf-repo-draft",
    ]

    /// The arguments without the program's name, with these flags in their long spelling.
    package static func forParser(_ arguments: [String] = CommandLine.arguments) -> [String] {
        arguments.dropFirst().map { argument in
            let name = argument.prefix { $0 != "=" }
            return spellings[String(name)].map { $0 + argument.dropFirst(name.count) } ?? argument
        }
    }
}
