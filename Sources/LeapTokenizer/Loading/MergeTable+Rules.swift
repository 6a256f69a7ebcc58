extension MergeTable {
    /// Builds the table of a vocabulary's merge rules.
    ///
    /// A rule that names a text which is no token could never apply, and hides that vocabulary and rules do not belong
    /// together: it is an error, as is a rule whose result is no token.
    init(_ rules: TokenTexts, of vocabulary: Vocabulary) throws(TokenizerError) {
        self.init(capacity: rules.count)
        for index in 0..<rules.count {
            let (left, right) = try Self.sides(of: rules, index)
            let ids = try Self.tokens(left, right, of: rules, index, in: vocabulary)
            insert(ids.left, ids.right, Merge(rank: UInt32(truncatingIfNeeded: index), token: ids.result))
        }
    }

    /// Where the two texts of a rule stand. A first text may begin with a space.
    private static func sides(
        of rules: TokenTexts, _ index: Int
    ) throws(TokenizerError) -> (left: Range<Int>, right: Range<Int>) {
        let range = rules.range(index)
        guard let space = rules.bytes[range.dropFirst()].firstIndex(of: 0x20), space + 1 < range.upperBound else {
            throw .malformedMerge(index: index, rule: rules.string(index))
        }
        return (range.lowerBound..<space, space + 1..<range.upperBound)
    }

    private static func tokens(
        _ left: Range<Int>, _ right: Range<Int>, of rules: TokenTexts, _ index: Int, in vocabulary: Vocabulary
    ) throws(TokenizerError) -> (left: Token, right: Token, result: Token) {
        func find(_ text: [UInt8], _ range: Range<Int>) throws(TokenizerError) -> Token {
            if let token = vocabulary.token(for: text, in: range) { return token }
            let missing = String(decoding: text[range], as: UTF8.self)
            throw .unknownMergeToken(index: index, rule: rules.string(index), missing: missing)
        }
        let joined = Array(rules.bytes[left] + rules.bytes[right])
        return (try find(rules.bytes, left), try find(rules.bytes, right), try find(joined, joined.indices))
    }
}
