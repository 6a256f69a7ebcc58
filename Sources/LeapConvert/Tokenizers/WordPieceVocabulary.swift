import LeapJSON
import LeapTokenizer

/// WordPiece: the vocabulary of `tokenizer.json`, or of `vocab.txt` in older folders.
enum WordPieceVocabulary {
    static func table(_ files: TokenizerFiles) throws(ConversionError) -> VocabularyTable {
        try check(files)
        let texts = try texts(files)
        let added = files.addedTokens
        let size = try files.vocabularySize(texts.map(\.id), in: "tokenizer.json")
        var table = VocabularyTable(model: "bert", count: size, hasScores: false)
        for (text, id) in texts { table.set(id, text, .normal) }
        for token in added { table.set(token.id, token.storedText, token.kind) }
        if added.isEmpty { markRoles(&table, files) }
        // GGUF files mark the beginnings of words instead of continuations. Compared by scalars, because a continuation
        // may be a combining mark.
        let mark = "##".unicodeScalars
        table.changeTexts { text, kind in
            if kind == .control || kind == .userDefined { return text }
            let scalars = text.unicodeScalars
            return scalars.starts(with: mark) ? String(scalars.dropFirst(mark.count)) : "\u{2581}" + text
        }
        return table
    }

    private static func check(_ files: TokenizerFiles) throws(ConversionError) {
        if let model = files.tokenizer?["model"] {
            for (key, usual) in [("continuing_subword_prefix", "##"), ("max_input_chars_per_word", 100)]
                as [(String, JSONValue)]
            {
                let value = model[key] ?? usual
                guard value == usual else {
                    throw .unsupportedFeature(
                        path: files.folder.file("tokenizer.json"), key: key, value: value.text(),
                        reason: "GGUF files support only \(usual.text())")
                }
            }
            return try TextSteps(files).checkWordPiece()
        }
        if files.settings?["tokenize_chinese_chars"] == .bool(false) {
            throw .unsupportedFeature(
                path: files.folder.file("tokenizer_config.json"), key: "tokenize_chinese_chars", value: "false",
                reason: "GGUF files cannot express that Chinese characters are treated as ordinary letters")
        }
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
        // Split by bytes: Swift treats CRLF as one character.
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
            $0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0
        }
        return lines.enumerated().filter { !$1.isEmpty }.map { (String(decoding: $1, as: UTF8.self), $0) }
    }

    /// Marks the tokens with a role, for a file that does not list them.
    private static func markRoles(_ table: inout VocabularyTable, _ files: TokenizerFiles) {
        for text in TokenizerFiles.wordPieceRoles.keys.compactMap(files.text(ofRole:)) {
            if let id = table.id(of: text) { table.set(id, text, .control) }
        }
    }
}
