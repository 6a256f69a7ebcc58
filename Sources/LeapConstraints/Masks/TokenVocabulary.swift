/// A tokenizer's vocabulary, arranged for masks. Immutable; made once per model and shared by all constraints.
///
/// Most tokens are plain text: whole characters without quotes, backslashes and control characters. Inside a JSON string
/// without a pattern any of them may come, so they are kept apart and permitted all at once; only the others, a few in
/// a hundred, are walked through byte by byte.
public final class TokenVocabulary: Sendable {
    /// How many tokens there are.
    public let count: Int
    /// The tokens that end a text.
    public let endTokens: Set<Int32>

    private let texts: [[UInt8]]
    let plain: TokenTrie
    let special: TokenTrie
    let plainMask: TokenMask
    /// What the tokens do inside a JSON string.
    let strings: StringTokens
    /// Arranges a vocabulary.
    ///
    /// - Parameters:
    ///   - texts: The bytes of every token, which may be parts of characters. Tokens without any, such as control
    ///     tokens, are never permitted, unless they end the text.
    ///   - endTokens: Permitted exactly where the text satisfies the constraint; their bytes do not matter.
    /// - Complexity: O(n log n) in the size of the vocabulary; some 100 ms for 65,000 tokens.
    public init(texts: [[UInt8]], endTokens: Set<Int32>) {
        self.texts = texts
        self.endTokens = endTokens
        count = texts.count
        var plain: [(token: Int32, bytes: [UInt8])] = []
        var special: [(token: Int32, bytes: [UInt8])] = []
        for (index, text) in texts.enumerated() {
            let token = Int32(truncatingIfNeeded: index)
            guard !text.isEmpty, text.count <= Int(UInt16.max), !endTokens.contains(token) else { continue }
            if Self.isPlain(text) { plain.append((token, text)) } else { special.append((token, text)) }
        }
        self.plain = TokenTrie(plain)
        self.special = TokenTrie(special)
        var mask = TokenMask(count: texts.count)
        for (token, _) in plain { mask.insert(token) }
        plainMask = mask
        strings = StringTokens(plain: plain, special: special, count: texts.count)
    }

    /// The bytes of a token; none for ids that are not in the vocabulary.
    public func bytes(of token: Int32) -> [UInt8] {
        texts.indices.contains(Int(token)) ? texts[Int(token)] : []
    }

    private static func isPlain(_ text: [UInt8]) -> Bool {
        text.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
            && String(validating: text, as: UTF8.self) != nil
    }
}
