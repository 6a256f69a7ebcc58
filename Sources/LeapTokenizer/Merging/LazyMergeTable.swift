import Synchronization

/// The merge rules of a vocabulary, indexed when a piece of text first needs one.
///
/// Indexing the rules of a large vocabulary takes longer than anything else when a model is loaded. And if whole pieces that
/// are tokens need no merges, a short prompt may never need the index.
final class LazyMergeTable: Sendable {
    private let rules: TokenTexts
    private let vocabulary: Vocabulary
    private let indexed = Mutex<MergeTable?>(nil)

    /// An irregularity of the rules; `nil` if there is none.
    let warning: TokenizerWarning?

    /// The number of rules checked at once, which takes a fraction of a millisecond.
    private static let checkedRules = 1024

    /// Checks every rule's form, and the tokens of a thousand rules spread over all.
    ///
    /// A rule whose operands or result are not tokens never applies. If vocabulary and rules do not belong together,
    /// such rules turn up in any sample of a thousand.
    ///
    /// - Throws: ``TokenizerError/malformedMerge(index:rule:)``
    init(_ rules: TokenTexts, of vocabulary: Vocabulary) throws(TokenizerError) {
        self.rules = rules
        self.vocabulary = vocabulary
        for index in 0..<rules.count where MergeRule(rules, index) == nil {
            throw .malformedMerge(index: index, rule: rules.string(index))
        }
        let checked = stride(from: 0, to: rules.count, by: max(rules.count / Self.checkedRules, 1))
        let faults = checked.compactMap { index in
            MergeRule(rules, index)?.missingToken(in: vocabulary).map { (index: index, missing: $0) }
        }
        warning = faults.first.map { first in
            .unknownMergeTokens(
                count: faults.count, of: Array(checked).count, index: first.index, rule: rules.string(first.index),
                missing: first.missing)
        }
    }

    /// The index, made at the first call; concurrent callers wait for it.
    func table() -> MergeTable {
        indexed.withLock { table in
            if let table { return table }
            let made = MergeTable(rules, of: vocabulary)
            table = made
            return made
        }
    }
}
