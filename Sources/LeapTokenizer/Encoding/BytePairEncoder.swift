/// Byte-level byte-pair encoding: a pre-tokenizer cuts the text into pieces, and in each piece bytes are merged by rank.
///
/// Source: Sennrich et al., "Neural Machine Translation of Rare Words with Subword Units" (2016), on bytes as in GPT-2.
struct BytePairEncoder: TextEncoder {
    private let vocabulary: Vocabulary
    private let preTokenizer: PreTokenizer
    private let merges: LazyMergeTable
    /// The token of each byte; -1 if the vocabulary has none.
    private let byteTokens: [Token]
    let spellsEveryByte: Bool

    init(vocabulary: Vocabulary, merges: LazyMergeTable, preTokenizer: PreTokenizer) {
        self.vocabulary = vocabulary
        self.merges = merges
        self.preTokenizer = preTokenizer
        byteTokens = (UInt8.min...UInt8.max).map { byte in
            var spelling: [UInt8] = []
            ByteLevel.appendSpelling(of: [byte], to: &spelling)
            return vocabulary.token(for: spelling, in: spelling.indices) ?? -1
        }
        spellsEveryByte = UTF8Sequence.bytes.allSatisfy { [byteTokens] in byteTokens[Int($0)] >= 0 }
    }

    func encode(_ utf8: [UInt8], in range: Range<Int>, isStart: Bool, into tokens: inout TokenList) {
        var work = Work()
        preTokenizer.forEachPiece(of: utf8, in: range) { encodePiece(utf8, $0, &work, into: &tokens) }
    }

    /// Buffers that all pieces of a text share.
    private struct Work {
        var merger = SymbolMerger()
        var spelling: [UInt8] = []
        /// Fetched when the first piece needs it.
        var merges: MergeTable?
    }

    @inline(__always)
    private func encodePiece(_ utf8: [UInt8], _ piece: Range<Int>, _ work: inout Work, into tokens: inout TokenList) {
        if preTokenizer.traits.contains(.ignoresMerges), let token = wholeToken(utf8, piece, &work.spelling) {
            tokens.append(token)
            return
        }
        work.merger.symbols.removeAll(keepingCapacity: true)
        if piece.count >= Vocabulary.longPiece {
            if tokens.skip(atLeast: fewestTokens(of: utf8[piece])) { return }
            // Growing step by step could take twice as much.
            work.merger.symbols.reserveCapacity(piece.count)
        }
        for index in piece { work.merger.symbols.append(Symbol(start: index, token: byteTokens[Int(utf8[index])])) }
        if piece.count > 1 { merge(piece, &work) }
        // A byte without a token is dropped: nothing can represent it.
        for symbol in work.merger.symbols where symbol.token >= 0 { tokens.append(symbol.token) }
    }

    func fewestTokens(of text: ArraySlice<UInt8>) -> Int {
        vocabulary.fewestTokens(of: text) { byte in
            guard byteTokens[Int(byte)] >= 0 else { return nil }
            var spelling: [UInt8] = []
            ByteLevel.appendSpelling(of: [byte], to: &spelling)
            return spelling
        }
    }

    private func merge(_ piece: Range<Int>, _ work: inout Work) {
        let table = work.merges ?? merges.table()
        work.merges = table
        work.merger.merge(table, end: piece.upperBound)
    }

    /// The token that is the whole piece, if there is one.
    private func wholeToken(_ utf8: [UInt8], _ piece: Range<Int>, _ spelling: inout [UInt8]) -> Token? {
        guard piece.count <= vocabulary.texts.longest else { return nil }
        spelling.removeAll(keepingCapacity: true)
        ByteLevel.appendSpelling(of: utf8[piece], to: &spelling)
        guard let token = vocabulary.token(for: spelling, in: spelling.indices), vocabulary.isText(token) else {
            return nil
        }
        return token
    }

    /// The bytes that the text spells; its own bytes if it is not a valid spelling, as in some added tokens.
    func bytes(ofText text: ArraySlice<UInt8>) -> [UInt8] {
        ByteLevel.bytes(spelledBy: text) ?? Array(text)
    }
}
