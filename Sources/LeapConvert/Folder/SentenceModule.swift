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
            SentenceModule(type: module["type"]?.string ?? "", path: module["path"]?.string.flatMap(folderName))
        }
    }

    /// The folders of all modules of a kind, within the model's.
    ///
    /// - Throws: ``ConversionError`` if one does not have a valid name.
    static func paths(of kind: Substring, in folder: ModelFolder) throws(ConversionError) -> [String] {
        var paths: [String] = []
        for module in try all(of: folder) where module.kind == kind {
            guard let path = module.path else {
                throw .file(
                    path: folder.file("modules.json"),
                    problem: "has a module of kind \(kind) whose 'path' does not name a folder within the model's")
            }
            paths.append(path)
        }
        return paths
    }

    /// The name in a path such as `./1_Pooling/`; `nil` if the path leads elsewhere.
    private static func folderName(_ path: String) -> String? {
        var name = path[...]
        while name.hasPrefix("./") { name.removeFirst(2) }
        while name.hasSuffix("/") { name.removeLast() }
        return ModelFolder.isPlainName(String(name)) ? String(name) : nil
    }

    /// Rejects modules that would change the vectors.
    static func refuseOthers(_ modules: [SentenceModule], _ folder: ModelFolder) throws(ConversionError) {
        guard let module = modules.first(where: { !known.contains($0.kind) }) else { return }
        throw .unsupportedFeature(
            path: folder.file("modules.json"), key: "type", value: module.type,
            reason: "modules of this kind cannot be converted")
    }
}
