/// WordPiece: segments each word greedily, from its beginning, into the longest pieces of the vocabulary. Most vocabularies
/// ignore case and accents.
///
/// A piece that begins a word has ▁ (U+2581) before it in a GGUF file's vocabulary, and one that continues a word has nothing.
/// A word that cannot be spelled so, or is very long, is one unknown token.
///
/// Source: Schuster and Nakajima 2012, "Japanese and Korean Voice Search"; Devlin et al. 2018, "BERT", section 3.
struct WordPieceEncoder: TextEncoder {
    private let vocabulary: Vocabulary
    private let splitter: WordSplitter
    /// The token for words that cannot be spelled; if `nil`, they get no token.
    private let unknown: Token?

    /// A word of more characters than this is unknown.
    static let longestWord = 100

    /// U+2581 in UTF-8.
    private static let mark = SentencePieceEncoder.space

    init(vocabulary: Vocabulary, splitter: WordSplitter, unknown: Token?) {
        self.vocabulary = vocabulary
        self.splitter = splitter
        self.unknown = unknown
    }

    func encode(_ utf8: [UInt8], in range: Range<Int>, isStart: Bool, into tokens: inout TokenList) {
        splitter.forEachWord(of: String(decoding: utf8[range], as: UTF8.self)) { word in
            if word.count > Self.longestWord || !encode(word, into: &tokens), let unknown { tokens.append(unknown) }
        }
    }

    /// Appends the pieces of a word. If the vocabulary cannot spell all of it, appends nothing and returns `false`.
    private func encode(_ word: [Unicode.Scalar], into tokens: inout TokenList) -> Bool {
        var text = Self.mark
        var ends: [Int] = []
        for scalar in word {
            text += Array(String(scalar).utf8)
            ends.append(text.count)
        }
        var (start, first, pieces): (Int, Int, [Token]) = (0, 0, [])
        while first < ends.count {
            let end = (first..<ends.count).reversed().first { piece(text, start..<ends[$0]) != nil }
            guard let end, let token = piece(text, start..<ends[end]) else { return false }
            pieces.append(token)
            (start, first) = (ends[end], end + 1)
        }
        for token in pieces { tokens.append(token) }
        return true
    }

    /// The token of a part of a word. A part that continues the word has no mark: a ▁ there would be the text's own.
    private func piece(_ text: [UInt8], _ range: Range<Int>) -> Token? {
        guard range.count <= vocabulary.texts.longest, range.lowerBound == 0 || !text[range].starts(with: Self.mark),
            let token = vocabulary.token(for: text, in: range), vocabulary.isText(token)
        else { return nil }
        return token
    }

    /// No lower bound: an unknown word of any length is one token.
    func fewestTokens(of text: ArraySlice<UInt8>) -> Int { 0 }

    var spellsEveryByte: Bool { false }

    /// The text with a space for the mark.
    func bytes(ofText text: ArraySlice<UInt8>) -> [UInt8] {
        text.starts(with: Self.mark) ? [0x20] + text.dropFirst(Self.mark.count) : Array(text)
    }
}
