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

    init(_ folder: ModelFolder, _ configuration: Configuration, _ recipe: ArchitectureRecipe) throws(ConversionError) {
        self.folder = folder
        self.configuration = configuration
        self.recipe = recipe
        tokenizer = try folder.jsonIfPresent("tokenizer.json")
        settings = try folder.jsonIfPresent("tokenizer_config.json")
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
        for (side, strips) in [("left", \AddedToken.stripsLeft), ("right", \AddedToken.stripsRight)] {
            let ids = addedTokens.filter { $0[keyPath: strips] }.map { Int32(clamping: $0.id) }.sorted()
            if !ids.isEmpty { writer.set("leap.tokenizer.strips_\(side)", array: ids) }
        }
    }

    /// Added tokens of both files; those of `tokenizer.json` take precedence.
    var addedTokens: [AddedToken] {
        let ours = tokenizer?["added_tokens"]?.array?.compactMap { AddedToken($0) } ?? []
        let known = Set(ours.map(\.id))
        let decoder = settings?["added_tokens_decoder"]?.object ?? [:]
        return ours + decoder.compactMap { AddedToken(id: $0.key, $0.value) }.filter { !known.contains($0.id) }
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
        return vocabulary?[text]?.wholeNumber
    }

    /// The number of tokens that the model has rows for.
    ///
    /// - Parameter found: One more than the largest id of the vocabulary.
    func vocabularySize(atLeast found: Int, in file: String) throws(ConversionError) -> Int {
        let size = try configuration.integerIfPresent("vocab_size", in: 1...1 << 24) ?? found
        guard found <= size else {
            throw .vocabulary(
                path: folder.file(file),
                problem: "has token ids up to \(found - 1), but the model has only \(size) embedding rows")
        }
        return size
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
