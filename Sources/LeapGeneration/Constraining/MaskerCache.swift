import LeapConstraints
import LeapTokenizer

/// The vocabulary of a model as constraints need it, and the masks of the constraints that were used last.
struct MaskerCache {
    private let tokenizer: Tokenizer
    /// Made when the first constraint comes.
    private lazy var vocabulary = TokenVocabulary(tokenizer)
    /// The one used last comes last.
    private var maskers: [SharedMasker] = []

    /// Masks of one constraint take at most some 12 MiB.
    private static let limit = 4

    init(_ tokenizer: Tokenizer) {
        self.tokenizer = tokenizer
    }

    /// The masks of a constraint.
    mutating func masker(of constraint: Constraint) -> SharedMasker {
        let found = maskers.firstIndex { $0.constraint.isIdentical(to: constraint) }.map { maskers.remove(at: $0) }
        let masker = found ?? SharedMasker(constraint, vocabulary, tokenizer)
        if maskers.count == Self.limit { maskers.removeFirst() }
        maskers.append(masker)
        return masker
    }
}

extension TokenVocabulary {
    /// A tokenizer's vocabulary.
    convenience init(_ tokenizer: Tokenizer) {
        self.init(
            texts: (0..<tokenizer.vocabularySize).map {
                tokenizer.bytes(of: Token(truncatingIfNeeded: $0), renderSpecial: false)
            },
            endTokens: tokenizer.endOfGeneration)
    }
}
