import LeapJSON
import LeapTokenizer
import OrderedCollections

/// SentencePiece's byte-pair encoding: `tokenizer.model`, or a `tokenizer.json` with byte fallback.
enum SentencePieceVocabulary {
    static func table(_ files: TokenizerFiles) throws(ConversionError) -> VocabularyTable {
        guard let bytes = try files.folder.bytesIfPresent("tokenizer.model") else { return try converted(files) }
        let path = files.folder.file("tokenizer.model")
        let model = try SentencePieceModel(bytes, path: path)
        guard model.kind == .bytePairs else {
            throw .vocabulary(
                path: path, problem: "is not a byte-pair encoding, which \(files.recipe.name) requires")
        }
        let size = try files.statedVocabularySize ?? model.pieces.count
        var table = VocabularyTable(model: "llama", count: size, hasScores: true)
        for (id, piece) in model.pieces.enumerated() { table.set(id, piece.text, piece.kind, score: piece.score) }
        for (text, id) in try files.folder.jsonIfPresent("added_tokens.json")?.object ?? [:] {
            if let id = id.wholeNumber {
                table.set(id, text, .userDefined, score: VocabularyTable.scoreOfAdded)
            }
        }
        for token in added(files) {
            table.set(token.id, token.storedText, token.kind, score: VocabularyTable.scoreOfAdded)
        }
        table.addsSpacePrefix = spacePrefix(files) ?? model.addsSpacePrefix
        let steps = TextSteps(files)
        if files.tokenizer == nil || steps.hasCharacterMap {
            table.characterMap = model.characterMap
            // Without a character map, transformers do not apply the model's rule about spaces.
            table.removesExtraSpaces = model.removesExtraSpaces && !model.characterMap.isEmpty
        } else {
            // Tokenizers ignore the model's own rules if they specify others.
            try steps.checkSentencePiece()
            table.prependScheme = steps.prependScheme
        }
        return table
    }

    /// Tokens listed in `tokenizer_config.json` or, if it lists none, in `tokenizer.json`.
    private static func added(_ files: TokenizerFiles) -> [AddedToken] {
        let listsTokens = files.settings?["added_tokens_decoder"]?.object?.isEmpty == false
        return listsTokens ? files.listedTokens : files.addedTokens
    }

    private static func spacePrefix(_ files: TokenizerFiles) -> Bool? {
        guard case .bool(let flag)? = files.settings?["add_prefix_space"] else { return nil }
        return flag
    }
}

extension SentencePieceVocabulary {
    /// A vocabulary of `tokenizer.json`, whose merges have ranks instead of scores: the later the first merge that
    /// produces a token, the lower the token's score, so that the merge order is preserved.
    private static func converted(_ files: TokenizerFiles) throws(ConversionError) -> VocabularyTable {
        let path = files.folder.file("tokenizer.json")
        guard let tokenizer = files.tokenizer else {
            throw .missingFile(folder: files.folder.path, expected: "tokenizer.json or tokenizer.model")
        }
        let texts = try ByteLevelVocabulary.texts(files)
        let added = files.addedTokens
        let size = try files.vocabularySize(texts.map(\.id), in: "tokenizer.json")
        let scores = try scores(tokenizer["model"], path)
        var table = VocabularyTable(model: "llama", count: size, hasScores: true)
        for (text, id) in texts {
            table.set(
                id, text, isByte(text) ? .byte : .normal,
                score: scores[Array(text.utf8)] ?? VocabularyTable.scoreOfFilling)
        }
        for token in added {
            table.set(token.id, token.storedText, token.kind, score: VocabularyTable.scoreOfAdded)
        }
        if let unknown = tokenizer["model"]?["unk_token"]?.string, let id = table.id(of: unknown) {
            table.set(id, unknown, .unknown)
        }
        let steps = TextSteps(files)
        try steps.checkSentencePiece()
        table.addsSpacePrefix = spacePrefix(files) ?? steps.prependsSpace
        table.prependScheme = steps.prependScheme
        return table
    }

    private static func scores(_ model: JSONValue?, _ path: String) throws(ConversionError) -> [[UInt8]: Float] {
        guard let merges = model?["merges"]?.array else {
            throw .vocabulary(path: path, problem: "has no list 'merges'")
        }
        // Keyed by bytes: canonically equivalent texts are distinct.
        var scores: [[UInt8]: Float] = [:]
        for (rank, merge) in merges.enumerated() {
            let parts =
                merge.string.map { $0.unicodeScalars.split(separator: " ").map(String.init) }
                ?? merge.array?.compactMap(\.string)
            guard let parts, parts.count == 2 else {
                throw .vocabulary(path: path, problem: "has a merge that is not a pair: \(merge.text())")
            }
            let text = Array((parts[0] + parts[1]).utf8)
            if scores[text] == nil { scores[text] = -Float(rank) }
        }
        return scores
    }

    /// `<0x0A>`
    private static func isByte(_ text: String) -> Bool {
        text.utf8.count == 6 && text.hasPrefix("<0x") && text.hasSuffix(">")
            && UInt8(text.dropFirst(3).dropLast(), radix: 16) != nil
    }
}
