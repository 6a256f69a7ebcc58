import LeapJSON

/// How the tokens' vectors are pooled into one, in folders of embedding models: `modules.json` of
/// sentence-transformers.
enum PoolingModule {
    /// The value of `pooling_type`; `nil` if the folder does not specify pooling.
    ///
    /// Source: llama.cpp, `llama_pooling_type`: 1 mean, 2 first token, 3 last token.
    static func pooling(of folder: ModelFolder) throws(ConversionError) -> Int? {
        let modules = try folder.jsonIfPresent("modules.json")?.array ?? []
        guard let module = modules.first(where: { $0["type"]?.string?.hasSuffix("Pooling") ?? false }),
            let path = module["path"]?.string, ModelFolder.isPlainName(path)
        else { return nil }
        let description = try folder.json(path + "/config.json")
        let kinds = [("pooling_mode_mean_tokens", 1), ("pooling_mode_cls_token", 2), ("pooling_mode_lasttoken", 3)]
        if let kind = kinds.first(where: { description[$0.0] == .bool(true) }) { return kind.1 }
        let names = ["mean": 1, "cls": 2, "lasttoken": 3]
        if let name = description["pooling_mode"]?.string, let kind = names[name] { return kind }
        throw .file(
            path: folder.file(path + "/config.json"), problem: "only mean, cls and lasttoken pooling can be converted")
    }
}
