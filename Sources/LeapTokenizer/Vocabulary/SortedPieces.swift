/// Finds all tokens that are a prefix of a stretch of text. The tokens are sorted by their texts, so those with a common
/// prefix are neighbours, and every further byte narrows the range down by binary search.
///
/// Memory is four bytes per token; a step takes O(log n) comparisons for n tokens in the range.
struct SortedPieces: Sendable {
    private var tokens: [Token]
    /// Where in ``tokens`` the texts that begin with each byte begin; 257 places.
    private var starts: [Int]

    /// The length of the longest pieces that are found, in bytes; far above that of any published vocabulary: at every
    /// position of a text, that many may have to be examined.
    static let longestPiece = 1024

    /// The tokens of a vocabulary that stand for text; of several with the same text the last one.
    init(of vocabulary: Vocabulary) {
        let texts = vocabulary.texts
        let all = (0..<vocabulary.count).map { Token(truncatingIfNeeded: $0) }
            .filter { vocabulary.isPiece($0) && (1...Self.longestPiece).contains(texts.range(Int($0)).count) }
        let sorted = texts.bytes.withUnsafeBufferPointer { bytes in
            all.sorted { Self.precedes(bytes, texts.range(Int($0)), $0, texts.range(Int($1)), $1) }
        }
        tokens = []
        for token in sorted {
            if let last = tokens.last, texts[Int(last)].elementsEqual(texts[Int(token)]) { tokens.removeLast() }
            tokens.append(token)
        }
        starts = [Int](repeating: 0, count: 257)
        for token in tokens { starts[Int(texts.bytes[texts.range(Int(token)).lowerBound]) + 1] += 1 }
        for byte in 0..<256 { starts[byte + 1] += starts[byte] }
    }

    private static func precedes(
        _ bytes: UnsafeBufferPointer<UInt8>, _ a: Range<Int>, _ aToken: Token, _ b: Range<Int>, _ bToken: Token
    ) -> Bool {
        for index in 0..<min(a.count, b.count) {
            let (x, y) = (bytes[a.lowerBound + index], bytes[b.lowerBound + index])
            if x != y { return x < y }
        }
        return (a.count, aToken) < (b.count, bToken)
    }

    /// Calls `body` with every piece that the text at `start` begins with, and its length; shorter ones first.
    @inline(__always)
    func forEachPrefix(
        of text: [UInt8], from start: Int, _ texts: TokenTexts, _ body: (_ token: Token, _ length: Int) -> Void
    ) {
        var (low, high) = (starts[Int(text[start])], starts[Int(text[start]) + 1])
        var length = 1
        while low < high {
            // Of texts with a common beginning the shortest comes first.
            if texts.range(Int(tokens[low])).count == length {
                body(tokens[low], length)
                low += 1
            }
            guard start + length < text.count else { return }
            let byte = text[start + length]
            low = firstIndex(from: low, to: high, byteAt: length, texts) { $0 >= byte }
            high = firstIndex(from: low, to: high, byteAt: length, texts) { $0 > byte }
            length += 1
        }
    }

    /// The first of neighbouring tokens, whose texts are all longer than `position`, whose byte there is as wanted.
    @inline(__always)
    private func firstIndex(
        from low: Int, to high: Int, byteAt position: Int, _ texts: TokenTexts, _ isWanted: (UInt8) -> Bool
    ) -> Int {
        var (low, high) = (low, high)
        while low < high {
            let middle = low + (high - low) / 2
            if isWanted(texts.bytes[texts.range(Int(tokens[middle])).lowerBound + position]) {
                high = middle
            } else {
                low = middle + 1
            }
        }
        return low
    }
}
