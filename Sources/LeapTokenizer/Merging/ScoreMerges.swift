/// The merge rules of a SentencePiece vocabulary: two neighbours merge if their text together is a token, the one
/// with the highest score first.
struct ScoreMerges: MergeRules {
    let vocabulary: Vocabulary
    /// The text that the symbols are stretches of.
    let text: [UInt8]

    @inline(__always)
    func merge(_ left: Symbol, _ right: Symbol, end: Int) -> Merge? {
        guard end - left.start <= min(vocabulary.texts.longest, Vocabulary.longestMerged),
            let token = vocabulary.token(for: text, in: left.start..<end),
            vocabulary.isText(token)
        else { return nil }
        return Merge(rank: Self.rank(score: vocabulary.score(of: token)), token: token)
    }

    /// A number that is lower the higher the score is: the bits of a float in descending order.
    @inline(__always)
    static func rank(score: Float) -> UInt32 {
        let bits = (score + 0).bitPattern  // adding 0 makes -0 and 0 the same
        let ascending = bits >> 31 == 0 ? bits | 0x8000_0000 : ~bits
        return min(~ascending, UInt32.max - 1)
    }
}
