/// SentencePiece byte-pair encoding: characters are merged by the score of the token that they would make; a character
/// that ends up as no token is spelled by byte tokens (`<0x00>` … `<0xFF>`). In vocabularies without these, a run of such
/// characters is one unknown token.
///
/// A space is the character U+2581 (▁) in the vocabulary.
///
/// Source: Kudo and Richardson, "SentencePiece" (2018); google/sentencepiece, `bpe_model.cc`.
struct SentencePieceEncoder: TextEncoder {
    private let vocabulary: Vocabulary
    private let spacePrefix: SpacePrefix
    /// The normaliser; `nil` if the only normalisation is that spaces become ▁.
    private let normalizer: SentencePieceNormalizer?
    /// The token of each byte that no other token spells; -1 if the vocabulary has none.
    private let byteTokens: [Token]
    /// The token for characters that no token spells; if `nil`, they get no token.
    private let unknown: Token?
    /// Whether no token contains a ▁ after another character, so that words can be merged independently.
    private let wordsAreIndependent: Bool
    let spellsEveryByte: Bool

    /// U+2581 in UTF-8.
    static let space: [UInt8] = [0xE2, 0x96, 0x81]

    init(
        vocabulary: Vocabulary, spacePrefix: SpacePrefix, normalizer: SentencePieceNormalizer?, unknown: Token?
    ) {
        self.vocabulary = vocabulary
        self.spacePrefix = spacePrefix
        self.normalizer = normalizer
        self.unknown = unknown
        byteTokens = (UInt8.min...UInt8.max).map { byte in
            vocabulary.token(for: ByteToken.text(of: byte)) ?? vocabulary.token(for: [byte], in: 0..<1) ?? -1
        }
        spellsEveryByte =
            normalizer == nil && UTF8Sequence.bytes.allSatisfy { [byteTokens] in byteTokens[Int($0)] >= 0 }
        wordsAreIndependent = !(0..<vocabulary.count).contains { Self.hasInnerSpace(vocabulary.texts[$0]) }
    }

    func encode(_ utf8: [UInt8], in range: Range<Int>, isStart: Bool, into tokens: inout TokenList) {
        if let normalizer { return encode(utf8, in: range, isStart: isStart, normalizer, into: &tokens) }
        var run = UnknownRun(of: unknown)
        let addsSpace = isStart && spacePrefix.isPut(before: range, of: utf8)
        var start = range.lowerBound
        while start < range.upperBound {
            let end = wordsAreIndependent ? Self.endOfWindow(utf8, in: start..<range.upperBound) : range.upperBound
            let isFirst = start == range.lowerBound
            encode(escaped(utf8, in: start..<end, addsSpace: isFirst && addsSpace), &run, into: &tokens)
            start = end
        }
    }

    private func encode(
        _ utf8: [UInt8], in range: Range<Int>, isStart: Bool, _ normalizer: SentencePieceNormalizer,
        into tokens: inout TokenList
    ) {
        var run = UnknownRun(of: unknown)
        var text: [UInt8] = []
        normalizer.forEachWord(of: utf8, in: range, isStart: isStart) {
            if wordsAreIndependent { encode($0, &run, into: &tokens) } else { text += $0 }
        }
        encode(text, &run, into: &tokens)
    }

    /// Appends the tokens of a text that begins and ends between words.
    private func encode(_ text: [UInt8], _ run: inout UnknownRun, into tokens: inout TokenList) {
        let rules = ScoreMerges(vocabulary: vocabulary, text: text)
        var merger = SymbolMerger()
        var start = 0
        while start < text.count {
            let end = wordsAreIndependent ? Self.endOfWord(text, from: start) : text.count
            defer { start = end }
            if end - start >= Vocabulary.longPiece, tokens.skip(atLeast: fewestTokens(of: text[start..<end])) {
                continue
            }
            appendCharacters(of: text, in: start..<end, to: &merger)
            merger.merge(rules, end: end)
            appendTokens(of: merger.symbols, end: end, in: text, &run, to: &tokens)
        }
    }

    func fewestTokens(of text: ArraySlice<UInt8>) -> Int {
        // Normalisation may change the length of a text arbitrarily.
        guard normalizer == nil else { return 0 }
        return vocabulary.fewestTokens(of: text) { byte in
            guard byteTokens[Int(byte)] >= 0 else { return nil }
            return byte == 0x20 ? Self.space : [byte]
        }
    }

    /// The text with ▁ for each space.
    private func escaped(_ utf8: [UInt8], in range: Range<Int>, addsSpace: Bool) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(range.count + range.count / 2)
        if addsSpace { text += Self.space }
        for byte in utf8[range] {
            if byte == 0x20 { text += Self.space } else { text.append(byte) }
        }
        return text
    }

    private func appendCharacters(of text: [UInt8], in range: Range<Int>, to merger: inout SymbolMerger) {
        merger.symbols.removeAll(keepingCapacity: true)
        var start = range.lowerBound
        while start < range.upperBound {
            let end = min(start + UTF8Sequence.length(lead: text[start]), range.upperBound)
            let token = vocabulary.token(for: text, in: start..<end).flatMap { vocabulary.isText($0) ? $0 : nil }
            merger.symbols.append(Symbol(start: start, token: token ?? -1))
            start = end
        }
    }

    private func appendTokens(
        of symbols: [Symbol], end: Int, in text: [UInt8], _ run: inout UnknownRun, to tokens: inout TokenList
    ) {
        for (index, symbol) in symbols.enumerated() {
            if symbol.token >= 0 {
                run.append(symbol.token, to: &tokens)
                continue
            }
            let symbolEnd = index + 1 < symbols.count ? symbols[index + 1].start : end
            for byte in text[symbol.start..<symbolEnd] {
                let token = byteTokens[Int(byte)]
                if token >= 0 { run.append(token, to: &tokens) } else { run.appendUnknown(to: &tokens) }
            }
        }
    }

    func bytes(ofText text: ArraySlice<UInt8>) -> [UInt8] { Self.withSpaces(text) }

    /// The text with a space for each ▁.
    static func withSpaces(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        var rest = text
        while let first = rest.first {
            let isSpace = rest.starts(with: space)
            result.append(isSpace ? 0x20 : first)
            rest = rest.dropFirst(isSpace ? space.count : 1)
        }
        return result
    }
}

// MARK: - Words

extension SentencePieceEncoder {
    /// Bytes of text that are made ready for merging at once.
    private static let window = 1 << 16

    /// The end of a window of an unescaped text: before the first space after it that follows another character, or at
    /// the end of the text.
    private static func endOfWindow(_ text: [UInt8], in range: Range<Int>) -> Int {
        var end = UTF8Sequence.boundary(of: text, in: range, count: window)
        while end < range.upperBound {
            let before = text[range.lowerBound..<end]
            if text[end] == 0x20, text[end - 1] != 0x20, !before.suffix(space.count).elementsEqual(space) { return end }
            end += 1
        }
        return end
    }

    /// The end of the word at `start`: before the first ▁ that follows another character.
    private static func endOfWord(_ text: [UInt8], from start: Int) -> Int {
        var position = start
        while isSpace(text[...], at: position) { position += space.count }
        while position < text.count, !isSpace(text[...], at: position) { position += 1 }
        return position
    }

    /// Whether the text has a ▁ after another character.
    static func hasInnerSpace(_ text: ArraySlice<UInt8>) -> Bool {
        var position = text.startIndex
        while isSpace(text, at: position) { position += space.count }
        while position < text.endIndex {
            if isSpace(text, at: position) { return true }
            position += 1
        }
        return false
    }

    @inline(__always)
    private static func isSpace(_ text: ArraySlice<UInt8>, at position: Int) -> Bool {
        position + 2 < text.endIndex && text[position] == 0xE2 && text[position + 1] == 0x96
            && text[position + 2] == 0x81
    }
}
