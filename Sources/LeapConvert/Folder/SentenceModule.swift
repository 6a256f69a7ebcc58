import LeapJSON

/// One of the steps from a text to its vector, in folders of embedding models: `modules.json` of sentence-transformers or
/// PyLate.
struct SentenceModule {
    /// The class, with the name of its library.
    let type: String
    /// The folder with its settings, within the model's; `nil` if that is not a valid name.
    let path: String?

    /// The class alone.
    var kind: Substring { type[(type.lastIndex(of: ".").map { type.index(after: $0) } ?? type.startIndex)...] }

    /// Those that are converted, or that change nothing here: the engine normalises vectors itself, and the scores of a
    /// reranker follow from its own files.
    private static let known: Set<Substring> = [
        "Transformer", "Pooling", "Dense", "Normalize", "Dropout", "LogitScore",
    ]

    /// The modules in their order; none if the folder does not list them.
    static func all(of folder: ModelFolder) throws(ConversionError) -> [SentenceModule] {
        let modules = try folder.jsonIfPresent("modules.json")?.array ?? []
        return modules.map { module in
            let path = module["path"]?.string.flatMap { ModelFolder.isPlainName($0) ? $0 : nil }
            return SentenceModule(type: module["type"]?.string ?? "", path: path)
        }
    }

    /// Rejects modules that would change the vectors.
    static func refuseOthers(_ modules: [SentenceModule], _ folder: ModelFolder) throws(ConversionError) {
        guard let module = modules.first(where: { !known.contains($0.kind) }) else { return }
        throw .unsupportedFeature(
            path: folder.file("modules.json"), key: "type", value: module.type,
            reason: "modules of this kind cannot be converted")
    }
}
