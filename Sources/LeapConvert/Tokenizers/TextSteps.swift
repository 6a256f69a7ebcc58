import LeapJSON

/// The steps that `tokenizer.json` applies to a text before tokens are matched: its normalizer and its pre-tokenizer.
///
/// GGUF expresses some of these steps by the kind of the vocabulary and by keys; others are rejected by name. Canonical
/// composition (NFC) is ignored: text is almost always composed already, and no reader of GGUF files composes it.
struct TextSteps {
    let normalizers: [JSONValue]
    let preTokenizers: [JSONValue]
    private let path: String

    init(_ files: TokenizerFiles) {
        normalizers = Self.steps(files.tokenizer?["normalizer"], "normalizers").filter { $0["type"] != "NFC" }
        preTokenizers = Self.steps(files.tokenizer?["pre_tokenizer"], "pretokenizers")
        path = files.folder.file("tokenizer.json")
    }

    private static func steps(_ json: JSONValue?, _ key: String) -> [JSONValue] {
        guard let json, json != .null else { return [] }
        return json[key]?.array?.flatMap { steps($0, key) } ?? [json]
    }

    /// Whether SentencePiece's own map of characters is one of the steps.
    var hasCharacterMap: Bool { normalizers.contains { $0["type"] == "Precompiled" } }

    /// Whether a normalizer replaces spaces.
    var replacesSpaces: Bool { normalizers.contains { $0["type"] == "Replace" && $0["pattern"]?["String"] == " " } }

    /// Whether a space is prepended to a text.
    var prependsSpace: Bool { normalizers.contains(where: Self.isPrefix) || prependScheme != nil }

    /// Where the Metaspace step adds a space to text that does not begin with one: "first" is at the beginning only,
    /// "always" also after special tokens; `nil` if nowhere, or if a normalizer adds it.
    var prependScheme: String? {
        guard !normalizers.contains(where: Self.isPrefix),
            let step = preTokenizers.last(where: { $0["type"] == "Metaspace" }),
            step["add_prefix_space"] != .bool(false)
        else { return nil }
        let scheme = step["prepend_scheme"]?.string ?? "always"
        return scheme == "never" ? nil : scheme
    }

    private static func isPrefix(_ step: JSONValue) -> Bool {
        step["type"] == "Prepend" && step["prepend"] == "\u{2581}"
    }
}

// MARK: - Unsupported steps

extension TextSteps {
    /// For byte-level vocabularies; ``PreTokenizerName`` handles the pre-tokenizers.
    func checkByteLevel() throws(ConversionError) {
        try refuse(normalizers)
        try refuse(preTokenizers.filter { $0["type"] == "ByteLevel" && $0["add_prefix_space"] == .bool(true) })
    }

    /// For SentencePiece vocabularies: spaces become ▁.
    func checkSentencePiece() throws(ConversionError) {
        try refuse(
            normalizers.filter {
                switch $0["type"]?.string {
                case "Prepend"?: $0["prepend"] != "\u{2581}"
                case "Replace"?: $0["pattern"]?["String"] != " " || $0["content"] != "\u{2581}"
                default: true
                }
            })
        // There are no spaces left at which Gemma's pre-tokenizer would split.
        try refuse(preTokenizers.filter { $0["type"] != "Metaspace" && $0["pattern"]?["String"] != " " })
    }

    /// For WordPiece: BERT's own steps.
    func checkWordPiece() throws(ConversionError) {
        try refuse(
            normalizers.filter {
                $0["type"] != "BertNormalizer" || $0["clean_text"] == .bool(false)
                    || $0["handle_chinese_chars"] == .bool(false)
            })
        try refuse(preTokenizers.filter { $0["type"] != "BertPreTokenizer" })
        guard !normalizers.isEmpty, !preTokenizers.isEmpty else {
            throw .vocabulary(
                path: path, problem: "needs BertNormalizer and BertPreTokenizer, because GGUF files imply both")
        }
    }

    private func refuse(_ steps: [JSONValue]) throws(ConversionError) {
        guard let step = steps.first else { return }
        let options = ["add_prefix_space", "clean_text", "handle_chinese_chars"].compactMap { key in
            step[key].map { "\(key) \($0.text())" }
        }
        let name = ([step["type"]?.string ?? "a step without a type"] + options).joined(separator: ", ")
        throw .vocabulary(
            path: path, problem: "has a normalizer or pre-tokenizer step that GGUF files cannot express: \(name)")
    }
}
