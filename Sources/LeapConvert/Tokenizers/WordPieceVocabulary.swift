import LeapJSON
import LeapTokenizer

/// WordPiece: the vocabulary of `tokenizer.json`, or of `vocab.txt` in older folders.
enum WordPieceVocabulary {
    static func table(_ files: TokenizerFiles) throws(ConversionError) -> VocabularyTable {
        let texts = try texts(files)
        let added = files.addedTokens
        let found = max(texts.map(\.id).max() ?? -1, added.map(\.id).max() ?? -1) + 1
        let size = try files.vocabularySize(atLeast: found, in: "tokenizer.json")
        var table = VocabularyTable(model: "bert", count: size, hasScores: false)
        for (text, id) in texts { table.set(id, text, .normal) }
        for token in added { table.set(token.id, token.storedText, token.kind) }
        if added.isEmpty { markBrackets(&table) }
        // GGUF files mark where words begin, not where they go on.
        table.changeTexts { text, kind in
            if kind == .control { return text }
            return text.hasPrefix("##") ? String(text.dropFirst(2)) : "\u{2581}" + text
        }
        return table
    }

    private static func texts(_ files: TokenizerFiles) throws(ConversionError) -> [(text: String, id: Int)] {
        if let tokenizer = files.tokenizer {
            guard tokenizer["model"]?["type"]?.string ?? "WordPiece" == "WordPiece" else {
                throw .vocabulary(
                    path: files.folder.file("tokenizer.json"), problem: "expected a model of type WordPiece")
            }
            return try ByteLevelVocabulary.texts(files)
        }
        guard let text = try files.folder.textIfPresent("vocab.txt") else {
            throw .missingFile(folder: files.folder.path, expected: "tokenizer.json or vocab.txt")
        }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map {
            $0.hasSuffix("\r") ? $0.dropLast() : $0
        }
        return lines.enumerated().filter { !$1.isEmpty }.map { (String($1), $0) }
    }

    /// The tokens with a role, in a file that does not list them.
    private static func markBrackets(_ table: inout VocabularyTable) {
        for text in ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"] {
            if let id = table.id(of: text) { table.set(id, text, .control) }
        }
    }
}
