import LeapGGUF
import LeapJSON

/// How PyLate models read queries and documents: the settings of `config_sentence_transformers.json`, written under
/// keys that begin with `leap.late_interaction.`, since GGUF has none for them.
///
/// Missing settings get PyLate's defaults. Texts are converted to token ids: a prefix is a single token, which follows the
/// text's first token. Queries are padded with the mask token or, without one, with the end-of-text token.
/// Source: PyLate's `ColBERT`, which reads and writes the file.
struct LateInteractionKeys {
    private let files: TokenizerFiles
    private let special: SpecialTokenKeys
    private let settings: JSONValue

    private static let file = "config_sentence_transformers.json"
    /// Any of these keys identifies a file as PyLate's.
    private static let marks = ["query_prefix", "document_prefix", "query_length", "document_length"]
    private static let punctuation = Array("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~").map { String($0) }

    /// - Returns: `nil` if the folder has no such settings.
    init?(_ files: TokenizerFiles, _ special: SpecialTokenKeys) throws(ConversionError) {
        guard let settings = try files.folder.jsonIfPresent(Self.file),
            Self.marks.contains(where: { settings[$0] ?? .null != .null })
        else { return nil }
        (self.files, self.special, self.settings) = (files, special, settings)
    }

    func write(to writer: inout GGUFWriter) throws(ConversionError) {
        func set(_ tail: String, _ value: GGUFValue) { writer.set("leap.late_interaction.\(tail)", value) }
        func set(_ tail: String, _ number: Int) { set(tail, .uint32(UInt32(clamping: number))) }
        set("query_length", try length("query_length", usual: 32))
        set("document_length", try length("document_length", usual: 180))
        if let id = try prefix("query_prefix", usual: "[Q] ") { set("query_prefix_token_id", id) }
        if let id = try prefix("document_prefix", usual: "[D] ") { set("document_prefix_token_id", id) }
        if try bool("do_query_expansion") ?? true {
            set("expansion_token_id", try expansion())
            set("attends_to_expansion", .bool(try bool("attend_to_expansion_tokens") ?? false))
        }
        let unknown = special.id(of: "unk")
        let skipped = Set(try words().compactMap { files.id(of: $0) ?? unknown }).sorted()
        if !skipped.isEmpty { writer.set("leap.late_interaction.skipped_token_ids", array: skipped.map { Int32($0) }) }
    }

    private func value(_ key: String) -> JSONValue? { settings[key].flatMap { $0 == .null ? nil : $0 } }

    private func length(_ key: String, usual: Int) throws(ConversionError) -> Int {
        guard let value = value(key) else { return usual }
        guard let length = value.wholeNumber, (2...Int(Int32.max)).contains(length) else {
            throw fault(key, value, expected: "a number of tokens, at least 2")
        }
        return length
    }

    private func bool(_ key: String) throws(ConversionError) -> Bool? {
        guard let value = value(key) else { return nil }
        guard case .bool(let flag) = value else { throw fault(key, value, expected: "true or false") }
        return flag
    }

    /// - Returns: `nil` if texts have no prefix.
    private func prefix(_ key: String, usual: String) throws(ConversionError) -> Int? {
        guard let text = (value(key) ?? .string(usual)).string else {
            throw fault(key, value(key) ?? .null, expected: "a string")
        }
        guard !text.isEmpty else { return nil }
        guard let id = files.id(of: text) else {
            throw .vocabulary(
                path: files.folder.file("tokenizer.json"),
                problem:
                    "has no token '\(text)', which is the '\(key)' in \(Self.file): was the tokenizer saved with the model?"
            )
        }
        return id
    }

    private func expansion() throws(ConversionError) -> Int {
        for role in ["mask", "eos", "pad"] {
            if let id = special.id(of: role) { return id }
        }
        throw .vocabulary(
            path: files.folder.file("tokenizer_config.json"),
            problem: "has no mask, end-of-sequence or padding token, one of which is needed to pad queries")
    }

    private func words() throws(ConversionError) -> [String] {
        guard let value = value("skiplist_words") else { return Self.punctuation }
        guard let words = value.array, words.allSatisfy({ $0.string != nil }) else {
            throw fault("skiplist_words", value, expected: "a list of strings")
        }
        return words.compactMap(\.string)
    }

    private func fault(_ key: String, _ value: JSONValue, expected: String) -> ConversionError {
        .configuration(
            path: files.folder.file(Self.file), key: key, problem: "is \(value.text()): expected \(expected)")
    }
}
