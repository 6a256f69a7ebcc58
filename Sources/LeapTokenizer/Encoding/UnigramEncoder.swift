/// SentencePiece's unigram model: the most probable segmentation of a text into pieces. A piece's score is the
/// logarithm of its probability. Characters that are not pieces are spelled by byte tokens (`<0x00>` … `<0xFF>`) if the
/// vocabulary has all of these; otherwise they are unknown, and a run of them is one token.
///
/// Source: Kudo 2018, "Subword Regularization", section 3.2, by the algorithm of Viterbi 1967; google/sentencepiece,
/// `trainer_interface.cc`, "byte_fallback".
struct UnigramEncoder: TextEncoder {
    private let vocabulary: Vocabulary
    private let normalizer: SentencePieceNormalizer
    /// The token for characters that no piece covers; if `nil`, they get no token.
    private let unknown: Token?
    /// The token of each byte; `nil` if the vocabulary lacks one of them.
    private let byteTokens: [Token]?
    private let pieces: SortedPieces
    /// The score of a character that is not a piece.
    private let unknownScore: Double
    /// Whether no piece holds a ▁ after another character: words can be cut one by one then.
    private let wordsAreIndependent: Bool

    /// How far the score of an unknown character is below that of the least probable piece.
    private static let penalty = 10.0

    init(vocabulary: Vocabulary, normalizer: SentencePieceNormalizer, unknown: Token?) {
        self.vocabulary = vocabulary
        self.normalizer = normalizer
        self.unknown = unknown
        let bytes = (UInt8.min...UInt8.max).compactMap { vocabulary.token(for: ByteToken.text(of: $0)) }
            .filter { vocabulary.type(of: $0) == .byte }
        byteTokens = bytes.count == 256 ? bytes : nil
        pieces = SortedPieces(of: vocabulary)
        let scores = vocabulary.types.indices.lazy.filter { vocabulary.types[$0] == .normal }
            .map { vocabulary.score(of: Token(truncatingIfNeeded: $0)) }
        unknownScore = Double(scores.filter(\.isFinite).min() ?? 0) - Self.penalty
        wordsAreIndependent = !(0..<vocabulary.count).contains {
            vocabulary.isText(Token(truncatingIfNeeded: $0)) && SentencePieceEncoder.hasInnerSpace(vocabulary.texts[$0])
        }
    }

    func encode(_ utf8: [UInt8], in range: Range<Int>, isStart: Bool, into tokens: inout TokenList) {
        var lattice = Lattice()
        var run = UnknownRun(of: unknown)
        var text: [UInt8] = []
        func cut(_ text: [UInt8]) {
            for (token, range) in lattice.bestPath(of: text, pieces, vocabulary, unknownScore: unknownScore) {
                if let token {
                    run.append(token, to: &tokens)
                } else if let byteTokens {
                    for byte in text[range] { run.append(byteTokens[Int(byte)], to: &tokens) }
                } else {
                    run.appendUnknown(to: &tokens)
                }
            }
        }
        normalizer.forEachWord(of: utf8, in: range, isStart: isStart) {
            if wordsAreIndependent { cut($0) } else { text += $0 }
        }
        if !text.isEmpty { cut(text) }
    }

    /// No lower bound: any number of unknown characters may be one token, and normalisation may shorten a text.
    func fewestTokens(of text: ArraySlice<UInt8>) -> Int { 0 }

    var spellsEveryByte: Bool { false }

    /// The text with a space for each ▁.
    func bytes(ofText text: ArraySlice<UInt8>) -> [UInt8] { SentencePieceEncoder.withSpaces(text) }
}

/// The most probable segmentations up to every place in a text.
private struct Lattice {
    private struct Step {
        var score = 0.0
        /// The start of the last piece; -1 if no segmentation ends here.
        var start = -1
        /// The last piece; -1 for a character that is not a piece.
        var token: Token = -1
    }

    private var steps: [Step] = []

    /// The pieces of the most probable segmentation with their places; `nil` for an unknown character. Of equally probable
    /// segmentations, the one whose last piece begins first.
    mutating func bestPath(
        of text: [UInt8], _ pieces: SortedPieces, _ vocabulary: Vocabulary, unknownScore: Double
    ) -> [(token: Token?, range: Range<Int>)] {
        steps.removeAll(keepingCapacity: true)
        steps.append(contentsOf: repeatElement(Step(), count: text.count + 1))
        steps[0].start = 0
        var position = 0
        while position < text.count {
            let next = min(position + UTF8Sequence.length(lead: text[position]), text.count)
            var isPiece = false
            pieces.forEachPrefix(of: text, from: position, vocabulary.texts) { token, length in
                reach(position + length, from: position, Double(vocabulary.score(of: token)), token)
                if position + length == next { isPiece = true }
            }
            if !isPiece { reach(next, from: position, unknownScore, -1) }
            position = next
        }
        return path(to: text.count)
    }

    private mutating func reach(_ end: Int, from start: Int, _ score: Double, _ token: Token) {
        let total = steps[start].score + score
        guard steps[end].start < 0 || total > steps[end].score else { return }
        steps[end] = Step(score: total, start: start, token: token)
    }

    private func path(to end: Int) -> [(token: Token?, range: Range<Int>)] {
        var path: [(token: Token?, range: Range<Int>)] = []
        var position = end
        while position > 0 {
            let step = steps[position]
            path.append((step.token >= 0 ? step.token : nil, step.start..<position))
            position = step.start
        }
        return path.reversed()
    }
}
