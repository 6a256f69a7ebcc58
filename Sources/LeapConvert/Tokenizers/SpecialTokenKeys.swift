import LeapGGUF
import LeapJSON

/// Which tokens have a role, and which of them are added around every text.
struct SpecialTokenKeys {
    private let files: TokenizerFiles
    private let table: VocabularyTable
    /// Texts of roles, from the settings and from the template for single texts.
    private var texts: [String: String] = [:]
    /// Whether a token is added at the beginning or the end of every text.
    private var additions: [String: Bool] = [:]
    private let added: [AddedToken]

    /// Hugging Face's names of roles, and the middle parts of GGUF's keys.
    private static let roles = [
        ("bos", "bos"), ("eos", "eos"), ("unk", "unknown"), ("sep", "seperator"), ("pad", "padding"), ("mask", "mask"),
        ("eot", "eot"),
    ]

    init(_ files: TokenizerFiles, _ table: VocabularyTable) throws(ConversionError) {
        self.files = files
        self.table = table
        added = files.addedTokens
        for role in ["bos", "eos", "unk", "sep", "pad", "cls", "mask"] {
            texts[role] = files.text(ofRole: role)
        }
        texts["bos"] = texts["bos"] ?? texts["cls"]
        texts["eos"] = texts["eos"] ?? texts["sep"]
        try readPostProcessor()
        for role in ["bos", "eos"] where additions[role] == nil {
            additions[role] = addition(role) ?? (addsOnlyWhatFilesState ? false : nil)
        }
    }

    func write(to writer: inout GGUFWriter) {
        for (theirs, ours) in Self.roles {
            if let id = id(of: theirs) { writer.set("tokenizer.ggml.\(ours)_token_id", .uint32(UInt32(clamping: id))) }
        }
        for role in ["bos", "eos", "sep"] {
            if let flag = additions[role] { writer.set("tokenizer.ggml.add_\(role)_token", .bool(flag)) }
        }
        guard files.recipe.vocabulary == .wordPiece else { return }
        let normalization = WordNormalization(files)
        if let flag = normalization.lowercases { writer.set("tokenizer.ggml.normalizer.lowercase", .bool(flag)) }
        if let flag = normalization.stripsAccents { writer.set("tokenizer.ggml.normalizer.strip_accents", .bool(flag)) }
    }

    /// The id of a role, from its text or from the model's configuration.
    func id(of role: String) -> Int? {
        if let text = texts[role], let id = added.first(where: { $0.text == text })?.id ?? table.id(of: text) {
            return inRange(id)
        }
        return inRange(files.configuration.value("\(role)_token_id")?.wholeNumber)
    }

    /// Whether the settings state that a token is added around every text.
    private func addition(_ role: String) -> Bool? {
        guard case .bool(let flag)? = files.settings?["add_\(role)_token"] else { return nil }
        return flag
    }

    /// Whether the tokenizer is of the class that adds no tokens to texts but those of `tokenizer.json`. Other classes may
    /// have rules of their own, and readers of GGUF files have defaults.
    private var addsOnlyWhatFilesState: Bool {
        let name = files.settings?["tokenizer_class"]?.string ?? ""
        return files.tokenizer != nil && ["PreTrainedTokenizerFast", "TokenizersBackend"].contains(name)
    }

    private func inRange(_ id: Int?) -> Int? { id.flatMap { (0..<table.count).contains($0) ? $0 : nil } }

    // MARK: Tokens around texts

    private mutating func readPostProcessor() throws(ConversionError) {
        guard let processor = files.tokenizer?["post_processor"], processor != .null else { return }
        for step in processor["processors"]?.array ?? [processor] {
            switch step["type"]?.string {
            case "ByteLevel"?:
                for role in ["bos", "eos"] where additions[role] == nil { additions[role] = false }
            case "TemplateProcessing"?: try read(template: step)
            case "BertProcessing"?, "RobertaProcessing"?:
                additions["bos"] = true
                additions["eos"] = true
                additions["sep"] = true
            default: break
            }
        }
    }

    private mutating func read(template: JSONValue) throws(ConversionError) {
        let single = template["single"]?.array ?? []
        guard single.count > 1 else { return }
        let specials = single.map(Self.special)
        if single.count > 2, specials[1] != nil || specials[single.count - 2] != nil {
            throw refusal("more than one token before or after every text, but GGUF files can specify only one")
        }
        if let first = Self.special(single.first) {
            try readFirst(first)
        }
        if let last = Self.special(single.last) {
            if let end = texts["eos"], end != last {
                texts["eot"] = end
            }
            texts["eos"] = last
            additions["eos"] = true
        }
        readPair(template["pair"]?.array ?? [], hasEnd: Self.special(single.last) != nil)
    }

    /// Reads the token before every text. If it differs from the token that begins texts, tokenizers with their own
    /// settings for it follow those.
    private mutating func readFirst(_ first: String) throws(ConversionError) {
        let bos = texts["bos"] ?? first
        if first == bos || first == texts["cls"] {
            texts["bos"] = first
            additions["bos"] = true
        } else if let flag = addition("bos") {
            additions["bos"] = flag
        } else {
            throw refusal(
                "'\(first)' before every text, but 'bos_token' is '\(bos)': GGUF files can specify only one of them")
        }
    }

    private func refusal(_ problem: String) -> ConversionError {
        .vocabulary(path: files.folder.file("tokenizer.json"), problem: "puts \(problem)")
    }

    /// Reads the tokens between two texts.
    private mutating func readPair(_ pair: [JSONValue], hasEnd: Bool) {
        guard let a = pair.firstIndex(where: { $0["Sequence"]?["id"] == "A" }),
            let b = pair.firstIndex(where: { $0["Sequence"]?["id"] == "B" }), a + 1 < b
        else { return }
        let between = pair[a + 1..<b].compactMap(Self.special)
        let ends = [texts["sep"], texts["eos"]].compactMap(\.self)
        let separates =
            hasEnd ? between.count > 1 && ends.contains(between[1]) : between.first.map(ends.contains) ?? false
        additions["sep"] = separates
    }

    private static func special(_ step: JSONValue?) -> String? { step?["SpecialToken"]?["id"]?.string }
}
