/// The tokens of a model and what is known about each; the tables behind encoding and decoding.
package struct Vocabulary: Sendable {
    /// How text becomes tokens: `tokenizer.ggml.model`.
    package enum Model: String, Sendable, CaseIterable {
        /// Byte-level byte-pair encoding: merge rules by rank, after a pre-tokenizer.
        case byteLevel = "gpt2"
        /// SentencePiece byte-pair encoding: merges by token score, with byte fallback.
        case sentencePiece = "llama"
    }

    /// The texts as the file spells them.
    let texts: TokenTexts
    private let index: TextIndex
    /// What each token is for.
    private(set) var types: [TokenType]
    /// SentencePiece scores; empty when the file has none.
    let scores: [Float]

    /// Indexes `texts`.
    ///
    /// - Parameters:
    ///   - types: one for each text, or empty: all are normal then.
    ///   - scores: one for each text, or empty: all are 0 then.
    /// - Throws: `TokenizerError` when there is no text, when two texts are equal, or when a count does not fit.
    init(texts: TokenTexts, types: [TokenType], scores: [Float]) throws(TokenizerError) {
        guard texts.count > 0 else { throw .emptyVocabulary }
        for (key, found) in [(Key.types, types.count), (Key.scores, scores.count)] where found != 0 {
            guard found == texts.count else {
                throw .countMismatch(key: key, expected: texts.count, found: found)
            }
        }
        self.texts = texts
        self.types = types.isEmpty ? Array(repeating: .normal, count: texts.count) : types
        self.scores = scores
        index = TextIndex(texts)
        if let (first, second) = index.duplicate {
            throw .duplicateToken(text: texts.string(Int(first)), first: first, second: second)
        }
    }

    /// How many tokens there are.
    var count: Int { texts.count }

    /// Whether `token` is one of this vocabulary.
    @inline(__always)
    func contains(_ token: Token) -> Bool { token >= 0 && Int(token) < texts.count }

    /// The type of a token of this vocabulary; `undefined` for others.
    func type(of token: Token) -> TokenType { contains(token) ? types[Int(token)] : .undefined }

    /// The text of a token of this vocabulary; empty for others.
    func text(of token: Token) -> ArraySlice<UInt8> { contains(token) ? texts[Int(token)] : [] }

    /// The score of a token of this vocabulary; 0 when the file has none.
    func score(of token: Token) -> Float { scores.indices.contains(Int(token)) ? scores[Int(token)] : 0 }

    /// The token with exactly the text `text[range]`.
    @inline(__always)
    func token(for text: [UInt8], in range: Range<Int>) -> Token? {
        index.token(for: text, in: range, of: texts)
    }

    /// The token with exactly this text.
    func token(for text: String) -> Token? {
        let bytes = Array(text.utf8)
        return token(for: bytes, in: bytes.indices)
    }

    /// Gives a token another type: some files state wrong ones.
    mutating func setType(_ type: TokenType, of token: Token) {
        if contains(token) { types[Int(token)] = type }
    }
}

extension Vocabulary {
    /// The metadata keys that are read.
    enum Key {
        static let model = "tokenizer.ggml.model"
        static let preTokenizer = "tokenizer.ggml.pre"
        static let texts = "tokenizer.ggml.tokens"
        static let types = "tokenizer.ggml.token_type"
        static let scores = "tokenizer.ggml.scores"
        static let merges = "tokenizer.ggml.merges"
        static let addsBOS = "tokenizer.ggml.add_bos_token"
        static let addsEOS = "tokenizer.ggml.add_eos_token"
        static let addsSpacePrefix = "tokenizer.ggml.add_space_prefix"
    }
}
