/// Finds all tokens that are a prefix of a stretch of text. The tokens are sorted by their texts, so tokens with a common
/// prefix are neighbours, and every further byte narrows the range down from both ends.
///
/// Memory is four bytes per token; a step takes O(log n) comparisons if it leaves out n tokens of the range.
struct SortedPieces: Sendable {
    private var tokens: [Token]
    /// For each first byte, the index in ``tokens`` of the first text that begins with it; 257 indices.
    private var starts: [Int]

    /// Sorts the tokens of a vocabulary that stand for text; of several with the same text the last one counts.
    init(of vocabulary: Vocabulary) {
        let texts = vocabulary.texts
        let all = (0..<vocabulary.count).map { Token(truncatingIfNeeded: $0) }
            .filter { vocabulary.isPiece($0) && (1...Vocabulary.longestMerged).contains(texts.range(Int($0)).count) }
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
            narrow(&low, &high, byteAt: length, texts, to: byte)
            length += 1
        }
    }

    /// Narrows a range of tokens, whose texts are all longer than `position`, down to those with a byte there.
    ///
    /// The searches begin at the ends of the range, so that a step which leaves out few tokens is fast: the texts of a
    /// malicious file could all be prefixes of one another.
    @inline(__always)
    private func narrow(_ low: inout Int, _ high: inout Int, byteAt position: Int, _ texts: TokenTexts, to byte: UInt8)
    {
        let (start, end) = (low, high)
        @inline(__always)
        func byteOfToken(_ index: Int) -> UInt8 { texts.bytes[texts.range(Int(tokens[index])).lowerBound + position] }
        let before = Self.countOfFirst(of: end - start) { byteOfToken(start + $0) < byte }
        let after = Self.countOfFirst(of: end - start - before) { byteOfToken(end - 1 - $0) > byte }
        (low, high) = (start + before, end - after)
    }

    /// How many of the first of `count` elements are left out, if no element after one that is not left out is: by a
    /// search that doubles its steps, and then by halving.
    @inline(__always)
    private static func countOfFirst(of count: Int, _ isLeftOut: (Int) -> Bool) -> Int {
        var (low, step) = (0, 1)
        while low + step <= count, isLeftOut(low + step - 1) {
            low += step
            step *= 2
        }
        var high = min(low + step - 1, count)
        while low < high {
            let middle = low + (high - low) / 2
            if isLeftOut(middle) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
