import LeapConstraints
import LeapTokenizer

/// The masks of the constraints that were used last.
struct MaskerCache {
    private let tokenizer: Tokenizer
    private let vocabulary: ConstraintVocabulary
    /// The one used last comes last.
    private var maskers: [SharedMasker] = []

    /// Masks of one constraint take at most some 12 MiB.
    private static let limit = 4

    init(_ tokenizer: Tokenizer) {
        self.tokenizer = tokenizer
        vocabulary = ConstraintVocabulary(tokenizer)
    }

    /// Begins to prepare for the first constraint, while the prompt is being read.
    func prepare() {
        vocabulary.prepare()
    }

    /// The masks of a constraint.
    mutating func masker(of constraint: Constraint) -> SharedMasker {
        let found = maskers.firstIndex { $0.constraint.isIdentical(to: constraint) }.map { maskers.remove(at: $0) }
        let masker = found ?? SharedMasker(constraint, vocabulary.value, tokenizer)
        if maskers.count == Self.limit { maskers.removeFirst() }
        maskers.append(masker)
        return masker
    }
}
