import LeapGGUF
import LeapModels

/// The purpose of a model file according to its header.
enum ModelKind: Sendable, Hashable {
    /// Text generation.
    case writer
    /// One embedding per text.
    case embedder
    /// One embedding per token, for late interaction.
    case lateInteraction
    /// Reranking.
    case ranker

    /// Files that name a pooling, have bidirectional attention, or end with an embedding matrix are not text generators.
    init(_ file: GGUFFile) {
        let architecture = (try? file.metadata.string("general.architecture")) ?? ""
        let stated = (try? file.metadata.integerIfPresent("\(architecture).pooling_type")) ?? nil
        let looksAhead = ((try? file.metadata.boolIfPresent("\(architecture).attention.causal")) ?? nil) == false
        let hasMatrix = file.tensors.contains { $0.name == "dense_2.weight" }
        let onlyReads = !LanguageModel.supportedArchitectures.contains(architecture)
        switch stated.flatMap(Pooling.init) {
        case .some(.rank): self = .ranker
        case .some(.mean), .some(.cls), .some(.last): self = .embedder
        case .some(.none), nil:
            let embeds = looksAhead || hasMatrix || onlyReads && Embedder.supportedArchitectures.contains(architecture)
            self = embeds ? .lateInteraction : .writer
        }
    }

    /// The kind of the file at a path. An unreadable file counts as a text generator; loading it will report the error.
    init(path: String) {
        self = (try? GGUFFile(path: path)).map(ModelKind.init) ?? .writer
    }
}
