import ArgumentParser
import LeapHub

/// The choice of a model, with llama.cpp's flags.
package struct ModelFlags: ParsableArguments {
    @Option(
        name: [.customShort("m"), .customLong("model")],
        help: ArgumentHelp("The model, in place of the argument.", valueName: "model"),
        completion: .file())
    private var model: String?

    @Option(
        name: [
            .customLong("hf", withSingleDash: true), .customLong("hfr", withSingleDash: true), .customLong("hf-repo"),
        ],
        help: ArgumentHelp(
            "A Hugging Face repository, in place of the argument: owner/name or owner/name:Q4_K_M.",
            valueName: "repository"))
    private var repository: String?

    @Option(
        name: [.customLong("hff", withSingleDash: true), .customLong("hf-file")],
        help: ArgumentHelp("The file in that repository, if the quantisation does not identify it.", valueName: "file"))
    private var repositoryFile: String?

    /// Flags with their default values.
    package init() {}

    /// Whether a flag names the model, so that no argument does.
    package var isGiven: Bool { model != nil || repository != nil }

    /// Checks that the model is named only once.
    package func validate() throws {
        if model != nil && repository != nil { throw ValidationError("Give either -m or -hf, not both.") }
        if repositoryFile != nil && repository == nil {
            throw ValidationError("--hf-file requires -hf, which names the repository.")
        }
    }

    /// The model that the flags name; `nil` if they name none.
    package func name() throws -> ModelName? {
        if let model { return try ModelName(model) }
        return try repository.map { try Self.name(ofRepository: $0, file: repositoryFile) }
    }

    /// A model in a Hugging Face repository: by its quantisation, or by its file name.
    ///
    /// - Throws: A usage error for an invalid name, and for a quantisation together with a file.
    package static func name(ofRepository repository: String, file: String?) throws -> ModelName {
        let wanted = try ModelName.repository(repository)
        guard let file else { return wanted }
        guard case .reference(.repository(let name, quantization: nil)) = wanted else {
            throw ValidationError("--hf-file already selects a file: omit the quantisation in -hf \(repository).")
        }
        return .repositoryFile(name, path: file)
    }

    /// The model for a command that needs one: the flags', or else that of the first argument.
    ///
    /// - Returns: The model and the remaining argument: the first one if a flag names the model, otherwise the second.
    package func model(_ first: String?, _ second: String? = nil) throws -> (name: ModelName, argument: String?) {
        if let name = try name() {
            if let second {
                throw ValidationError("Unexpected argument '\(second)': the model is already given by a flag.")
            }
            return (name, first)
        }
        guard let first else { throw ValidationError("Missing expected argument '<model>'") }
        return (try ModelName(first), second)
    }

    /// The model for a download command, whose argument is a name, even of an existing folder. Only what is plainly a
    /// file is taken for one, so that the command can say so.
    ///
    /// - Throws: A usage error for an invalid name; ``CommandError`` for a GGUF file that does not exist.
    package func download(_ argument: String?) throws -> ModelName {
        switch (try name(), argument) {
        case (let flagged?, nil): return flagged
        case (nil, let name?):
            let isFile = name.hasSuffix(".gguf") || FileKind(path: name) == .regular
            return isFile ? try ModelName(name) : .reference(try ModelName.reference(name))
        case (_?, let name?):
            throw ValidationError("Unexpected argument '\(name)': the model is already given by a flag.")
        case (nil, nil): throw ValidationError("Missing expected argument '<name>'")
        }
    }

    /// The model for a command without other arguments.
    package func onlyModel(_ argument: String?) throws -> ModelName {
        let (name, rest) = try model(argument)
        if let rest { throw ValidationError("Unexpected argument '\(rest)': the model is already given by a flag.") }
        return name
    }
}
