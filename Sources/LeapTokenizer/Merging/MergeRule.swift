/// A merge rule as a file spells it: two texts with a space between them.
struct MergeRule {
    private let rules: TokenTexts
    private let left: Range<Int>
    private let right: Range<Int>

    /// The rule at an index; `nil` if it is not two texts. The first may itself begin with a space.
    @inline(__always)
    init?(_ rules: TokenTexts, _ index: Int) {
        let range = rules.range(index)
        var space = range.lowerBound + 1
        while space < range.upperBound - 1, rules.bytes[space] != 0x20 { space += 1 }
        guard space < range.upperBound - 1 else { return nil }
        self.rules = rules
        left = range.lowerBound..<space
        right = space + 1..<range.upperBound
    }

    /// The rule's tokens; `nil` if one of its texts, or their concatenation, is not a token.
    ///
    /// - Parameters:
    ///   - guess: The probable result of the merge.
    ///   - joined: a buffer.
    @inline(__always)
    func tokens(
        of vocabulary: Vocabulary, guess: Token, _ joined: inout [UInt8]
    ) -> (left: Token, right: Token, result: Token)? {
        joined.removeAll(keepingCapacity: true)
        for position in left { joined.append(rules.bytes[position]) }
        for position in right { joined.append(rules.bytes[position]) }
        let isGuess =
            !vocabulary.hasDuplicates && vocabulary.contains(guess)
            && vocabulary.texts.range(Int(guess)).count == joined.count
            && vocabulary.text(of: guess).elementsEqual(joined)
        guard let result = isGuess ? guess : vocabulary.token(for: joined, in: joined.indices),
            let left = vocabulary.token(for: rules.bytes, in: left),
            let right = vocabulary.token(for: rules.bytes, in: right)
        else { return nil }
        return (left, right, result)
    }

    /// The first of the rule's two texts and their concatenation that is not a token.
    func missingToken(in vocabulary: Vocabulary) -> String? {
        let (left, right) = (Array(rules.bytes[left]), Array(rules.bytes[right]))
        return [left, right, left + right].first { vocabulary.token(for: $0, in: $0.indices) == nil }
            .map { String(decoding: $0, as: UTF8.self) }
    }
}

extension MergeTable {
    /// Indexes a vocabulary's rules. Those that name or make no token are left out, and those that make a control token,
    /// so that no text becomes one by merging.
    init(_ rules: TokenTexts, of vocabulary: Vocabulary) {
        self.init(capacity: rules.count)
        var joined: [UInt8] = []
        var result: Token = -1
        for index in 0..<rules.count {
            // Vocabularies list what merging makes in the order of the rules.
            guard let tokens = MergeRule(rules, index)?.tokens(of: vocabulary, guess: result &+ 1, &joined) else {
                continue
            }
            result = tokens.result
            guard vocabulary.isText(result) else { continue }
            insert(tokens.left, tokens.right, Merge(rank: UInt32(truncatingIfNeeded: index), token: result))
        }
    }
}
