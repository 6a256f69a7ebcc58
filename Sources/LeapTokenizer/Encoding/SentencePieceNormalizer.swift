/// SentencePiece's normalisation of a text before it looks for pieces: characters are replaced by a file's map, and spaces by ▁
/// (U+2581): as the file says, one before the first word, one for several between words, and none at the end.
///
/// Source: Kudo and Richardson 2018, "SentencePiece", section 3.2; sentencepiece, `normalizer.cc`, `Normalize`.
struct SentencePieceNormalizer: Sendable {
    let map: CharacterMap
    /// Whether a space is put before a text.
    let addsSpacePrefix: Bool
    /// Whether spaces at the ends of a text are left out, and other runs of spaces become one space.
    let removesExtraSpaces: Bool

    /// Calls `body` with the words of a stretch of text, in order: each consists of the spaces before it, if any, and the text
    /// up to the next space. None is empty. Memory is bounded by the longest word.
    func forEachWord(of text: [UInt8], in range: Range<Int>, isStart: Bool, _ body: ([UInt8]) -> Void) {
        var words = WordList()
        if addsSpacePrefix, isStart { words.appendSpace(body) }
        var followsSpace = removesExtraSpaces
        var position = range.lowerBound
        while position < range.upperBound {
            let (end, normalized) = next(in: text, from: position, upTo: range.upperBound)
            let piece = followsSpace ? normalized.drop { $0 == 0x20 } : normalized
            words.append(piece, body)
            if let last = piece.last { followsSpace = removesExtraSpaces && last == 0x20 }
            position = end
        }
        words.finish(removesSpaces: removesExtraSpaces, body)
    }

    /// The normalised form of the text's next stretch from a position on, and that stretch's end.
    private func next(in text: [UInt8], from start: Int, upTo end: Int) -> (end: Int, normalized: ArraySlice<UInt8>) {
        if let (length, replacement) = map.replacement(in: text, from: start, upTo: end) {
            return (start + length, replacement)
        }
        let next = min(start + UTF8Sequence.length(lead: text[start]), end)
        return (next, text[start..<next])
    }
}

/// Collects words.
private struct WordList {
    private var word: [UInt8] = []
    /// Whether the word consists of spaces so far.
    private var isBlank = true

    /// U+2581 in UTF-8.
    private static let space = SentencePieceEncoder.space

    /// Appends text. A literal ▁ is treated as a space.
    mutating func append(_ text: ArraySlice<UInt8>, _ body: ([UInt8]) -> Void) {
        var rest = text
        while let byte = rest.first {
            if byte == 0x20 {
                appendSpace(body)
            } else if byte == Self.space[0], rest.starts(with: Self.space) {
                appendSpace(body)
                rest = rest.dropFirst(Self.space.count - 1)
            } else {
                word.append(byte)
                isBlank = false
            }
            rest = rest.dropFirst()
        }
    }

    /// Appends a space, which begins a word unless it follows another space.
    mutating func appendSpace(_ body: ([UInt8]) -> Void) {
        if !isBlank { end(body) }
        word += Self.space
    }

    /// Ends the last word; if spaces at the end are removed, a word of spaces alone is left out.
    mutating func finish(removesSpaces: Bool, _ body: ([UInt8]) -> Void) {
        if !isBlank || !removesSpaces && !word.isEmpty { end(body) }
    }

    private mutating func end(_ body: ([UInt8]) -> Void) {
        body(word)
        word.removeAll(keepingCapacity: true)
        isBlank = true
    }
}
