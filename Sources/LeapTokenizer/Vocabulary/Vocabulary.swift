/// The tokens of a model with their properties; the tables used for encoding and decoding.
struct Vocabulary: Sendable {
    /// The texts as the file spells them.
    let texts: TokenTexts
    private let index: TextIndex
    /// The purpose of each token.
    private(set) var types: [TokenType]
    /// SentencePiece scores; empty if the file has none.
    let scores: [Float]

    /// Indexes `texts`.
    ///
    /// - Parameters:
    ///   - types: one for each text; if `nil`, all are normal.
    ///   - scores: one for each text; if `nil`, all are 0.
    /// - Throws: `TokenizerError` if the vocabulary is empty, or if a count does not match.
    init(texts: TokenTexts, types: [TokenType]?, scores: [Float]?) throws(TokenizerError) {
        guard texts.count > 0 else { throw .emptyVocabulary }
        for case (let key, let found?) in [(TokenizerKey.types, types?.count), (TokenizerKey.scores, scores?.count)] {
            guard found == texts.count else {
                throw .countMismatch(key: key, expected: texts.count, found: found)
            }
        }
        self.texts = texts
        self.types = types ?? Array(repeating: .normal, count: texts.count)
        for id in self.types.indices where self.types[id] == .byte && ByteToken.value(of: texts[id]) == nil {
            self.types[id] = .normal  // `<0xZZ>` is a text like any other
        }
        self.scores = scores ?? []
        index = TextIndex(texts)
    }

    /// An irregularity of the texts; `nil` if there is none.
    var warning: TokenizerWarning? {
        index.duplicates.map { count, first, second in
            .duplicateTokens(count: count, text: texts.string(Int(first)), first: first, second: second)
        }
    }

    /// Whether some tokens have the same text.
    var hasDuplicates: Bool { index.duplicates != nil }

    /// The number of tokens.
    var count: Int { texts.count }

    /// Whether `token` is one of this vocabulary.
    @inline(__always)
    func contains(_ token: Token) -> Bool { token >= 0 && Int(token) < texts.count }

    /// The type of a token of this vocabulary; `undefined` for others.
    func type(of token: Token) -> TokenType { contains(token) ? types[Int(token)] : .undefined }

    /// The text of a token of this vocabulary; empty for others.
    func text(of token: Token) -> ArraySlice<UInt8> { contains(token) ? texts[Int(token)] : [] }

    /// The score of a token of this vocabulary; 0 if the file has none.
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

    /// A lower bound on the tokens of a text; 0 if there is none, because a byte of the text leaves no trace in tokens.
    ///
    /// - Parameter spelling: the vocabulary's spelling of a byte of the text; `nil` if the byte leaves no trace in any
    ///   token.
    func fewestTokens(of text: ArraySlice<UInt8>, spelling: (UInt8) -> [UInt8]?) -> Int {
        var occurs = [Bool](repeating: false, count: 256)
        for byte in text { occurs[Int(byte)] = true }
        var allowed = occurs
        for byte in UInt8.min...UInt8.max where occurs[Int(byte)] {
            guard let parts = spelling(byte) else { return 0 }
            for part in parts { allowed[Int(part)] = true }
        }
        var longest = 1
        for id in 0..<texts.count where texts.range(id).count > longest {
            if texts[id].allSatisfy({ allowed[Int($0)] }) { longest = texts.range(id).count }
        }
        return (text.count + longest - 1) / longest
    }

    /// The length in bytes from which a stretch of text is checked against the lower bound before it is merged, because
    /// merging takes many times its memory.
    static let longPiece = 1 << 18

    /// The most bytes of a token that is looked up by its text in many places of a text. At every position that many bytes
    /// may have to be examined, and a malicious file could contain tokens of megabytes. In published vocabularies, the
    /// longest are runs of 128 spaces, each of which is three bytes.
    static let longestMerged = 512

    /// Whether merging may end in this token: it stands for text, not for steering or for one raw byte.
    ///
    /// So plain text that happens to spell `<s>` or `<0x0A>` never becomes that token.
    @inline(__always)
    func isText(_ token: Token) -> Bool {
        switch type(of: token) {
        case .normal, .userDefined, .unused, .undefined: true
        case .control, .unknown, .byte: false
        }
    }

    /// Whether a token is a piece of a unigram model; unused ones are not.
    func isPiece(_ token: Token) -> Bool { isText(token) && type(of: token) != .unused }

    /// Gives a token another type: some files state wrong ones.
    mutating func setType(_ type: TokenType, of token: Token) {
        if contains(token) { types[Int(token)] = type }
    }
}
