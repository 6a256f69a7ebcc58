import LeapJSON
import LeapTokenizer

/// A token that was added to a vocabulary, and is matched in text as a whole.
struct AddedToken {
    let id: Int
    let text: String
    let isSpecial: Bool
    /// Whether the token swallows the space before it.
    let stripsLeft: Bool
    /// Whether the token swallows the space after it.
    let stripsRight: Bool
    /// Whether the token is matched in the text after its normalisation.
    let isNormalized: Bool
    /// Whether the token is matched only as a separate word.
    let isSingleWord: Bool

    /// From `added_tokens` in `tokenizer.json`.
    ///
    /// - Parameter path: The file, for errors.
    /// - Returns: `nil` for what is not a token.
    /// - Throws: ``ConversionError`` if its id is out of range.
    init?(_ json: JSONValue, path: String) throws(ConversionError) {
        guard let id = json["id"]?.wholeNumber, let text = json["content"]?.string else { return nil }
        try self.init(id: id, text: text, json, path)
    }

    /// From `added_tokens_decoder` in `tokenizer_config.json`.
    init?(id: String, _ json: JSONValue, path: String) throws(ConversionError) {
        guard let id = Int(id), let text = json["content"]?.string else { return nil }
        try self.init(id: id, text: text, json, path)
    }

    private init(id: Int, text: String, _ json: JSONValue, _ path: String) throws(ConversionError) {
        guard VocabularyTable.ids.contains(id) else { throw .tokenID(id, of: text, path: path) }
        self.id = id
        self.text = text
        isSpecial = json["special"] == .bool(true)
        stripsLeft = json["lstrip"] == .bool(true)
        stripsRight = json["rstrip"] == .bool(true)
        isNormalized = json["normalized"] == .bool(true)
        isSingleWord = json["single_word"] == .bool(true)
    }

    /// Some models mark tokens as not special that should be control tokens.
    var kind: TokenType { isSpecial || looksSpecial ? .control : .userDefined }

    /// The text in a vocabulary: tokens that are matched in text contain plain spaces.
    var storedText: String { kind == .userDefined ? text.replacing("\u{2581}", with: " ") : text }

    private var looksSpecial: Bool {
        if ["<pad>", "<mask>", "<2mass>", "[@BOS@]"].contains(text) { return true }
        let brackets = [("<|", "|>"), ("<｜", "｜>"), ("<unused", ">")]
        return brackets.contains { text.hasPrefix($0.0) && text.hasSuffix($0.1) }
    }
}
