import Synchronization

/// The merge rules of a vocabulary, indexed when a piece of text first needs one.
///
/// To index the rules of a large vocabulary takes longer than everything else in loading a model, and where pieces that
/// are tokens as a whole need no merges, a short prompt may never ask.
final class LazyMergeTable: Sendable {
    private let rules: TokenTexts
    private let vocabulary: Vocabulary
    private let indexed = Mutex<MergeTable?>(nil)

    /// Rules that are checked at once: as many as take a fraction of a millisecond.
    private static let checkedRules = 1024

    /// Checks every rule's form, and the tokens of a thousand rules spread over all.
    ///
    /// A rule that names a text which is no token, or makes one, could never apply. It tells that vocabulary and rules do
    /// not belong together, which shows in any thousand of them; a single such rule among more has no effect.
    ///
    /// - Throws: ``TokenizerError/malformedMerge(index:rule:)``, ``TokenizerError/unknownMergeToken(index:rule:missing:)``
    init(_ rules: TokenTexts, of vocabulary: Vocabulary) throws(TokenizerError) {
        self.rules = rules
        self.vocabulary = vocabulary
        for index in 0..<rules.count where MergeRule(rules, index) == nil {
            throw .malformedMerge(index: index, rule: rules.string(index))
        }
        for index in stride(from: 0, to: rules.count, by: max(rules.count / Self.checkedRules, 1)) {
            try MergeRule(rules, index)?.check(in: vocabulary)
        }
    }

    /// The index, made by the first who asks; others wait for it.
    func table() -> MergeTable {
        indexed.withLock { table in
            if let table { return table }
            let made = MergeTable(rules, of: vocabulary)
            table = made
            return made
        }
    }
}
