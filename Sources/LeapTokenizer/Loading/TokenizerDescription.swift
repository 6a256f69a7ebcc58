/// The statements of a file about its tokenizer, as they stand there: nothing is checked or filled in yet.
package struct TokenizerDescription: Sendable {
    /// `tokenizer.ggml.model`
    package var model: String
    /// `tokenizer.ggml.pre`
    package var preTokenizer: String?
    /// `tokenizer.ggml.tokens`
    var texts = TokenTexts()
    /// `tokenizer.ggml.token_type`
    package var types: [TokenType]?
    /// `tokenizer.ggml.scores`
    package var scores: [Float]?
    /// `tokenizer.ggml.merges`: two token texts with a space between them, by rank
    var merges = TokenTexts()
    /// The ids of special tokens by metadata key (`tokenizer.ggml.bos_token_id`); they may be out of range.
    package var ids: [String: Int] = [:]
    /// `tokenizer.ggml.add_bos_token`
    package var addsBOS: Bool?
    /// `tokenizer.ggml.add_eos_token`
    package var addsEOS: Bool?
    /// `tokenizer.ggml.add_space_prefix`
    package var addsSpacePrefix: Bool?
    /// `tokenizer.ggml.add_sep_token`
    package var addsSeparator: Bool?
    /// `tokenizer.ggml.remove_extra_whitespaces`, of SentencePiece
    package var removesExtraSpaces: Bool?
    /// `tokenizer.ggml.precompiled_charsmap`: the replacements of characters before tokens are matched, of SentencePiece
    package var characterMap: [UInt8]?
    /// `tokenizer.ggml.normalizer.lowercase`, of WordPiece
    package var lowercases: Bool?
    /// `tokenizer.ggml.normalizer.strip_accents`, of WordPiece
    package var stripsAccents: Bool?
    /// `leap.tokenizer.strips_left`: ids of tokens that swallow the space before them; they may be out of range
    package var stripsLeft: [Int]?
    /// `leap.tokenizer.strips_right`: ids of tokens that swallow the space after them
    package var stripsRight: [Int]?
    /// `leap.tokenizer.prepend_scheme`: where a space is put before text, of SentencePiece
    package var prependScheme: String?
    /// `general.name`
    package var modelName = ""
    /// `general.architecture`
    package var architecture = ""

    /// A description of a model kind, with these tokens and merges.
    package init(model: String, preTokenizer: String? = nil, texts: [String], merges: [String] = []) {
        self.model = model
        self.preTokenizer = preTokenizer
        for text in texts { self.texts.append(text.utf8) }
        for rule in merges { self.merges.append(rule.utf8) }
    }
}
