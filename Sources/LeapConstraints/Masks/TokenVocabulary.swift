/// A tokenizer's vocabulary, prepared for masks. Immutable; made once per model and shared by all constraints.
///
/// Most tokens are plain text: whole characters without quotes, backslashes and control characters. Inside a JSON
/// string without a pattern, any of them may come, so they are kept separately and permitted all at once; only the
/// others, a few percent, are walked through byte by byte.
public final class TokenVocabulary: Sendable {
    /// How many tokens there are.
    public let count: Int
    /// The tokens that end a text.
    public let endTokens: Set<Int32>

    private let texts: TokenTexts
    let plain: TokenTrie
    let special: TokenTrie
    let plainMask: TokenMask
    /// The effect of the tokens inside a JSON string.
    let strings: StringTokens

    /// Prepares a vocabulary.
    ///
    /// - Parameters:
    ///   - texts: The bytes of every token, which may be parts of characters. Tokens without any, such as control
    ///     tokens, are never permitted, unless they end the text.
    ///   - endTokens: Permitted exactly where the text satisfies the constraint; their bytes are ignored.
    /// - Complexity: O(n log n) in the size of the vocabulary; some 20 ms for 65,000 tokens.
    public init(texts: some Sequence<[UInt8]>, endTokens: Set<Int32>) {
        var all = TokenTexts()
        for text in texts { all.append(text) }
        var plain: [TokenPiece] = []
        var special: [TokenPiece] = []
        var mask = TokenMask(count: all.count)
        for token in 0..<Int32(truncatingIfNeeded: all.count) {
            let piece = all.piece(token)
            guard piece.count > 0, piece.count <= Int(UInt16.max), !endTokens.contains(token) else { continue }
            if Self.isPlain(all[piece]) {
                plain.append(piece)
                mask.insert(token)
            } else {
                special.append(piece)
            }
        }
        self.texts = all
        self.endTokens = endTokens
        count = all.count
        self.plain = TokenTrie(plain, of: all)
        self.special = TokenTrie(special, of: all)
        plainMask = mask
        strings = StringTokens(plain: plain, special: special, of: all)
    }

    /// The bytes of a token; none for ids that are not in the vocabulary.
    public func bytes(of token: Int32) -> ArraySlice<UInt8> { texts[texts.piece(token)] }

    /// The stand-in, both in the vocabulary and in a ``ConstraintPattern``, for a token that has no text of its own,
    /// such as a control token: bytes that never occur in UTF-8, so that no text can spell them.
    public static func bytes(ofHidden token: Int32) -> [UInt8] {
        [0xFF] + [21, 14, 7, 0].map { 0x80 | UInt8(truncatingIfNeeded: token >> $0) }
    }

    private static func isPlain(_ text: ArraySlice<UInt8>) -> Bool {
        var isASCII = true
        for byte in text {
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return false }
            if byte >= 0x80 { isASCII = false }
        }
        return isASCII || String(validating: text, as: UTF8.self) != nil
    }
}
