import LeapJSON
import LeapTokenizer
import OrderedCollections

/// Byte-level byte-pair encoding: the vocabulary and the merges of `tokenizer.json`.
enum ByteLevelVocabulary {
    static func table(_ files: TokenizerFiles) throws(ConversionError) -> VocabularyTable {
        let path = files.folder.file("tokenizer.json")
        let vocabulary = try texts(files)
        let added = files.addedTokens
        let size = try files.vocabularySize(vocabulary.map(\.id), in: "tokenizer.json")
        var table = VocabularyTable(model: "gpt2", count: size, hasScores: false)
        for (text, id) in vocabulary { table.set(id, text, .normal) }
        for token in added { table.set(token.id, token.storedText, token.kind) }
        table.merges = try merges(files.tokenizer?["model"], path)
        table.preTokenizer = try PreTokenizerName.detect(files)
        try TextSteps(files).checkByteLevel()
        return table
    }

    /// Texts and ids. Canonically equivalent texts in Unicode, such as K and the Kelvin sign, are distinct tokens.
    static func texts(_ files: TokenizerFiles) throws(ConversionError) -> [(text: String, id: Int)] {
        let path = files.folder.file("tokenizer.json")
        guard files.tokenizer != nil,
            let vocabulary = try files.folder.members(of: "tokenizer.json", at: ["model", "vocab"])
        else {
            throw .vocabulary(path: path, problem: "has no object 'vocab' with the token ids")
        }
        var texts: [(String, Int)] = []
        texts.reserveCapacity(vocabulary.count)
        for (text, value) in vocabulary {
            guard let id = value.wholeNumber, VocabularyTable.ids.contains(id) else {
                throw .tokenID(value.wholeNumber, of: text, path: path)
            }
            texts.append((text, id))
        }
        return texts
    }

    /// Pairs separated by a space. Newer files store each pair as a list of two texts, which may contain spaces; these
    /// are written in the byte-level alphabet.
    static func merges(_ model: JSONValue?, _ path: String) throws(ConversionError) -> [String] {
        guard let merges = model?["merges"]?.array else {
            throw .vocabulary(path: path, problem: "has no list 'merges'")
        }
        var pairs: [String] = []
        pairs.reserveCapacity(merges.count)
        for merge in merges {
            if let text = merge.string {
                pairs.append(text)
            } else if let parts = merge.array, parts.count == 2, let left = parts[0].string, let right = parts[1].string
            {
                pairs.append([left, right].map { $0.replacing(" ", with: "\u{120}") }.joined(separator: " "))
            } else {
                throw .vocabulary(path: path, problem: "has a merge that is not a pair: \(merge.text())")
            }
        }
        return pairs
    }
}
