import LeapGGUF
import LeapJSON
import OrderedCollections

/// The files of a tokenizer: `tokenizer.json`, `tokenizer.model`, `tokenizer_config.json` and related ones.
struct TokenizerFiles {
    let folder: ModelFolder
    let configuration: Configuration
    let recipe: ArchitectureRecipe
    /// `tokenizer.json`
    let tokenizer: JSONValue?
    /// `tokenizer_config.json`
    let settings: JSONValue?
    /// The tokens that `tokenizer_config.json` lists.
    let listedTokens: [AddedToken]
    /// Added tokens of both files; those of `tokenizer.json` take precedence.
    let addedTokens: [AddedToken]

    init(_ folder: ModelFolder, _ configuration: Configuration, _ recipe: ArchitectureRecipe) throws(ConversionError) {
        self.folder = folder
        self.configuration = configuration
        self.recipe = recipe
        tokenizer = try folder.jsonIfPresent("tokenizer.json")
        settings = try folder.jsonIfPresent("tokenizer_config.json")
        listedTokens = try Self.listedTokens(settings, folder.file("tokenizer_config.json"))
        let ours = try Self.addedTokens(tokenizer, folder.file("tokenizer.json"))
        let known = Set(ours.map(\.id))
        addedTokens = ours + listedTokens.filter { !known.contains($0.id) }
    }

    /// The tokens that `tokenizer.json` adds to its vocabulary.
    static func addedTokens(_ tokenizer: JSONValue?, _ path: String) throws(ConversionError) -> [AddedToken] {
        var tokens: [AddedToken] = []
        for json in tokenizer?["added_tokens"]?.array ?? [] {
            if let token = try AddedToken(json, path: path) { tokens.append(token) }
        }
        return tokens
    }

    private static func listedTokens(_ settings: JSONValue?, _ path: String) throws(ConversionError) -> [AddedToken] {
        var tokens: [AddedToken] = []
        for (id, json) in settings?["added_tokens_decoder"]?.object ?? [:] {
            if let token = try AddedToken(id: id, json, path: path) { tokens.append(token) }
        }
        return tokens
    }

    /// Writes the vocabulary, the tokens with a role, and chat templates.
    func write(to writer: inout GGUFWriter) throws(ConversionError) {
        try refuseSingleWords()
        let table = try vocabulary()
        table.write(to: &writer)
        if recipe.vocabulary == .wordPiece {
            let count = try configuration.integerIfPresent("type_vocab_size") ?? 2
            writer.set("tokenizer.ggml.token_type_count", .uint32(UInt32(clamping: count)))
        }
        writeStrips(to: &writer)
        let special = try SpecialTokenKeys(self, table)
        special.write(to: &writer)
        try LateInteractionKeys(self, special)?.write(to: &writer)
        try ChatTemplates(folder, settings).write(to: &writer)
    }

    private func refuseSingleWords() throws(ConversionError) {
        guard let token = addedTokens.first(where: \.isSingleWord) else { return }
        throw .vocabulary(
            path: folder.path,
            problem: "'\(token.text)' matches only as a separate word ('single_word'), which GGUF files cannot express")
    }

    /// Writes which tokens swallow adjacent spaces, for which GGUF has no standard keys.
    private func writeStrips(to writer: inout GGUFWriter) {
        // A token that is matched after spaces have become ▁ finds none to swallow.
        let replacesSpaces = TextSteps(self).replacesSpaces
        let tokens = addedTokens.filter { !($0.isNormalized && replacesSpaces) }
        for (side, strips) in [("left", \AddedToken.stripsLeft), ("right", \AddedToken.stripsRight)] {
            let ids = tokens.filter { $0[keyPath: strips] }.map { Int32(clamping: $0.id) }.sorted()
            if !ids.isEmpty { writer.set("leap.tokenizer.strips_\(side)", array: ids) }
        }
    }

    /// The texts of tokens with a role, as BERT calls them.
    static let wordPieceRoles = ["pad": "[PAD]", "unk": "[UNK]", "cls": "[CLS]", "sep": "[SEP]", "mask": "[MASK]"]

    /// The text of the token with a role, from the settings, or by convention if WordPiece has no setting for it.
    func text(ofRole role: String) -> String? {
        let setting = settings?["\(role)_token"]
        let stated = setting?.string ?? setting?["content"]?.string
        return recipe.vocabulary == .wordPiece ? stated ?? Self.wordPieceRoles[role] : stated
    }

    /// The id of the token with exactly this text in `tokenizer.json`.
    func id(of text: String) -> Int? {
        if let token = addedTokens.first(where: { $0.text == text }) { return token.id }
        let vocabulary = tokenizer?["model"]?["vocab"]
        if let pieces = vocabulary?.array { return pieces.firstIndex { $0.array?.first?.string == text } }
        return vocabulary?[text]?.wholeNumber.flatMap { VocabularyTable.ids.contains($0) ? $0 : nil }
    }

    /// The number of tokens that the model has rows for.
    ///
    /// - Parameter ids: Those of the vocabulary without added tokens.
    func vocabularySize(_ ids: [Int], in file: String) throws(ConversionError) -> Int {
        let largest = max(ids.max() ?? -1, addedTokens.map(\.id).max() ?? -1)
        // In range, as all ids are.
        let found = largest + 1
        let size = try statedVocabularySize ?? found
        guard found <= size else {
            throw .vocabulary(
                path: folder.file(file),
                problem: "has token ids up to \(largest), but the model has only \(size) embedding rows")
        }
        return size
    }

    /// The number of tokens by `config.json`, if it states one.
    var statedVocabularySize: Int? {
        get throws(ConversionError) {
            try configuration.integerIfPresent("vocab_size", in: 1...VocabularyTable.ids.upperBound)
        }
    }

    private func vocabulary() throws(ConversionError) -> VocabularyTable {
        let model = tokenizer?["model"]
        if recipe.vocabulary == .wordPiece { return try WordPieceVocabulary.table(self) }
        let kind = model?["type"]?.string ?? (model?["merges"] == nil ? nil : "BPE")
        switch kind {
        case "BPE"? where model?["byte_fallback"] != .bool(true): return try ByteLevelVocabulary.table(self)
        case "BPE"?, nil: return try SentencePieceVocabulary.table(self)
        case let other?:
            throw .vocabulary(
                path: folder.file("tokenizer.json"),
                problem: "is of type \(other), but \(recipe.name) requires byte-pair encoding")
        }
    }
}
