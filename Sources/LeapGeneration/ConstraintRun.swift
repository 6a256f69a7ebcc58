import LeapConstraints
import LeapTokenizer

/// A constraint during one generation: where the answer is in it, and which tokens may come next.
struct ConstraintRun {
    private var masker: TokenMasker
    private var state: ConstraintState
    private let vocabulary: TokenVocabulary

    init(_ constraint: Constraint, _ vocabulary: TokenVocabulary) {
        masker = TokenMasker(constraint, vocabulary)
        state = constraint.makeState()
        self.vocabulary = vocabulary
    }

    /// Whether the answer satisfies the constraint.
    var isSatisfied: Bool { state.isAccepting }

    /// Whether it does and nothing can follow.
    var isComplete: Bool { state.isComplete }

    /// Takes all tokens that do not fit out of a row of logits.
    ///
    /// - Returns: Whether any is left.
    mutating func restrict(_ logits: UnsafeMutableBufferPointer<Float>) -> Bool {
        let mask = masker.mask(for: state)
        mask.apply(to: logits)
        return !mask.isEmpty
    }

    mutating func accept(_ token: Token) {
        state.advance(vocabulary.bytes(of: token))
    }
}

extension Tokenizer {
    /// The vocabulary as constraints need it. Making it takes some 100 ms.
    func constraintVocabulary() -> TokenVocabulary {
        TokenVocabulary(
            texts: (0..<vocabularySize).map { bytes(of: Token(truncatingIfNeeded: $0), renderSpecial: false) },
            endTokens: endOfGeneration)
    }
}
