extension MergeTable {
    /// Builds the table of a vocabulary's merge rules.
    ///
    /// A rule that names a text which is no token could never apply, and hides that vocabulary and rules do not belong
    /// together: it is an error, as is a rule whose result is no token. A rule whose result is a control token is left
    /// out, so that no text becomes one by merging.
    init(_ rules: TokenTexts, of vocabulary: Vocabulary) throws(TokenizerError) {
        self.init(capacity: rules.count)
        var joined: [UInt8] = []
        for index in 0..<rules.count {
            let rule = rules.range(index)
            guard let space = Self.separator(in: rules.bytes, rule) else {
                throw .malformedMerge(index: index, rule: rules.string(index))
            }
            joined.removeAll(keepingCapacity: true)
            for position in rule where position != space { joined.append(rules.bytes[position]) }
            guard let left = vocabulary.token(for: joined, in: 0..<space - rule.lowerBound),
                let right = vocabulary.token(for: joined, in: space - rule.lowerBound..<joined.count),
                let result = vocabulary.token(for: joined, in: 0..<joined.count)
            else { throw Self.unknownToken(in: rules, index, vocabulary) }
            guard vocabulary.isText(result) else { continue }
            insert(left, right, Merge(rank: UInt32(truncatingIfNeeded: index), token: result))
        }
    }

    /// Where the space between the two texts of a rule stands. The first text may itself begin with a space.
    private static func separator(in bytes: [UInt8], _ rule: Range<Int>) -> Int? {
        var position = rule.lowerBound + 1
        while position < rule.upperBound - 1 {
            if bytes[position] == 0x20 { return position }
            position += 1
        }
        return nil
    }

    /// The error for the first text of a rule that is no token.
    private static func unknownToken(in rules: TokenTexts, _ index: Int, _ vocabulary: Vocabulary) -> TokenizerError {
        let rule = rules.range(index)
        let space = separator(in: rules.bytes, rule) ?? rule.upperBound
        let left = Array(rules.bytes[rule.lowerBound..<space])
        let right = Array(rules.bytes[space..<rule.upperBound].dropFirst())
        let missing = [left, right].first { vocabulary.token(for: $0, in: $0.indices) == nil } ?? left + right
        return .unknownMergeToken(
            index: index, rule: rules.string(index), missing: String(decoding: missing, as: UTF8.self))
    }
}
