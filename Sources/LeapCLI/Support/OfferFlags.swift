#if Server
import ArgumentParser
import LeapToolSupport

/// The models of a server that flags name, as llama-server's do. They are added to those that arguments name.
struct OfferFlags: ParsableArguments {
    @Option(
        name: [.customShort("m"), .customLong("model")],
        help: ArgumentHelp("Another model, named like an argument; may be repeated.", valueName: "model"),
        completion: .file())
    private var models: [String] = []

    @Option(
        name: [
            .customLong("hf", withSingleDash: true), .customLong("hfr", withSingleDash: true), .customLong("hf-repo"),
        ],
        help: ArgumentHelp(
            "Another model, a Hugging Face repository: owner/name or owner/name:Q4_K_M; may be repeated.",
            valueName: "repository"))
    private var repositories: [String] = []

    @Option(
        name: [.customLong("hff", withSingleDash: true), .customLong("hf-file")],
        help: ArgumentHelp("The file in the repository of a single -hf.", valueName: "file"))
    private var repositoryFile: String?

    func validate() throws {
        guard repositoryFile == nil || repositories.count == 1 else {
            throw ValidationError("--hf-file requires exactly one -hf, which names the repository.")
        }
    }

    /// A model as the user wrote it.
    struct Named {
        /// What clients may call it.
        let text: String
        /// What it is, if the text does not say so.
        var name: ModelName?
        /// Whether it is the built-in model.
        var isBuiltIn = false

        /// The built-in model.
        static let builtIn = Named(text: DefaultModel.name, isBuiltIn: true)
    }

    /// All models in the order of their loading: the arguments', those of -m, those of -hf.
    ///
    /// - Throws: A usage error for an invalid name of a repository.
    func all(_ arguments: [String]) throws -> [Named] {
        try (arguments + models).map { Named(text: $0, isBuiltIn: DefaultModel.isNamed($0)) }
            + repositories.map {
                let name = try ModelFlags.name(ofRepository: $0, file: repositoryFile)
                return Named(text: "\(name)", name: name)
            }
    }
}
#endif
