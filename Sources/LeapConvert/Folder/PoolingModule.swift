import LeapJSON

/// How the tokens' vectors are pooled into one, in folders of embedding models: `modules.json` of
/// sentence-transformers.
enum PoolingModule {
    /// The value of `pooling_type`; `nil` if the folder does not specify pooling.
    ///
    /// Source: llama.cpp, `llama_pooling_type`: 1 mean, 2 first token, 3 last token.
    ///
    /// - Throws: ``ConversionError`` for other kinds of pooling or several at once, for paths outside the folder, and for
    ///   other modules that would change the vectors.
    static func pooling(of folder: ModelFolder) throws(ConversionError) -> Int? {
        let modules = try SentenceModule.all(of: folder)
        try SentenceModule.refuseOthers(modules, folder)
        guard let settings = try settings(of: folder).first else { return nil }
        let modes = modes(try folder.json(settings))
        let kinds = ["mean": 1, "mean_tokens": 1, "cls": 2, "cls_token": 2, "lasttoken": 3]
        guard modes.count == 1, let kind = kinds[modes[0]] else {
            throw .file(
                path: folder.file(settings),
                problem: "has pooling by \(modes.joined(separator: " and ")), but only one of mean, cls and lasttoken "
                    + "can be converted")
        }
        return kind
    }

    /// The files with the settings of pooling, within the folder.
    static func settings(of folder: ModelFolder) throws(ConversionError) -> [String] {
        try SentenceModule.paths(of: "Pooling", in: folder).map { $0 + "/config.json" }
    }

    /// The kinds of pooling whose results are joined: in newer files one key, in older ones a flag for each. Without any,
    /// sentence-transformers takes the mean.
    private static func modes(_ settings: JSONValue) -> [String] {
        let key = "pooling_mode"
        if let mode = settings[key]?.string { return [mode.lowercased()] }
        if let modes = settings[key]?.array { return modes.map { $0.string?.lowercased() ?? $0.text() } }
        let flags = (settings.dictionary ?? [:]).filter { $0.key.hasPrefix(key + "_") && $0.value == .bool(true) }
        return flags.isEmpty ? ["mean"] : flags.keys.map { String($0.dropFirst(key.count + 1)) }.sorted()
    }
}
