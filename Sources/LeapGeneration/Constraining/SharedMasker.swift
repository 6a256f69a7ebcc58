import LeapConstraints
import LeapTokenizer

/// The token masks of one constraint, shared by all generations under it, and the properties of the vocabulary that a
/// ``ConstraintRun`` needs. Used on the generator's thread only.
final class SharedMasker {
    let constraint: Constraint

    /// Makes the masks.
    let maker: MaskMaker
    private let vocabulary: TokenVocabulary
    private let tokenizer: Tokenizer
    /// Per mark: tokens that may have more after the end of it.
    private var overruns: [[UInt8]: [Token]] = [:]

    init(_ constraint: Constraint, _ vocabulary: TokenVocabulary, _ tokenizer: Tokenizer) {
        self.constraint = constraint
        self.vocabulary = vocabulary
        self.tokenizer = tokenizer
        maker = MaskMaker(constraint, vocabulary)
    }

    /// What is needed to draw under a state of the constraint.
    func neededMask(_ state: ConstraintState) -> NeededMask { NeededMask(maker: maker, state: state) }

    /// The tokens that end an answer.
    var endTokens: [Token?] { vocabulary.endTokens.map(\.self) }

    /// A token's bytes in the constrained text.
    func bytes(of token: Token) -> ArraySlice<UInt8> { vocabulary.bytes(of: token) }

    /// A token's bytes where marks are looked for: tokens that are marks count as their text.
    func markBytes(of token: Token) -> [UInt8] { tokenizer.bytes(of: token, renderSpecial: true) }

    /// Masks all tokens in a row of logits except those that the constraint's state permits, and some others.
    ///
    /// - Parameter mask: The state's mask, if it is made already.
    /// - Returns: Whether any is left.
    func restrict(
        _ logits: UnsafeMutableBufferPointer<Float>, to state: ConstraintState?, _ mask: TokenMask?, or others: [Token?]
    ) -> Bool {
        let kept = others.compactMap { $0.map(Int.init) }.filter(logits.indices.contains).map { ($0, logits[$0]) }
        let mask = mask ?? state.map { maker.mask(for: $0) }
        if let mask { mask.apply(to: logits) } else { logits.update(repeating: -.infinity) }
        for (index, logit) in kept { logits[index] = logit }
        return !kept.isEmpty || !(mask?.isEmpty ?? true)
    }

    /// Masks tokens that would end the answer before a mark is complete, and those that complete it and continue after it.
    ///
    /// - Returns: Whether any is left.
    func restrict(_ logits: UnsafeMutableBufferPointer<Float>, until matcher: EndMarkFinder) -> Bool {
        exclude(endTokens.compactMap(\.self), from: logits)
        excludeOverruns(of: matcher, from: logits)
        return logits.contains { $0 > -.infinity }
    }

    /// Masks the tokens that complete a mark and continue after it.
    func excludeOverruns(of matcher: EndMarkFinder, from logits: UnsafeMutableBufferPointer<Float>) {
        exclude(overruns(of: matcher.mark).filter { matcher.isOverrun(by: markBytes(of: $0)) }, from: logits)
    }

    private func exclude(_ tokens: [Token], from logits: UnsafeMutableBufferPointer<Float>) {
        for index in tokens.lazy.map(Int.init) where logits.indices.contains(index) { logits[index] = -.infinity }
    }

    /// The tokens that complete a mark and continue after it.
    private func overruns(of mark: [UInt8]) -> [Token] {
        if let known = overruns[mark] { return known }
        let ends = mark.indices.map { mark[$0...] }
        let tokens = (0..<Token(vocabulary.count)).filter { token in
            let bytes = markBytes(of: token)
            return ends.contains { bytes.count > $0.count && bytes.starts(with: $0) }
                || EndMarkFinder(mark).isOverrun(by: bytes)
        }
        overruns[mark] = tokens
        return tokens
    }
}

/// A mask that is needed to draw the next token.
struct NeededMask {
    /// Makes it.
    let maker: MaskMaker
    /// Where the text stands in the constraint.
    let state: ConstraintState

    /// Whether masks for texts that begin like this one may take long.
    var mayTakeLong: Bool { !state.hasFewPaths || maker.isBusy }
}
