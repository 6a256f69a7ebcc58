import LeapConstraints
import LeapTokenizer

/// A block of calls under construction, constrained to the schemas of its functions.
struct HeldCall {
    private let masker: SharedMasker
    private var state: ConstraintState

    /// - Parameters:
    ///   - masker: Of a constraint on one block with its marks.
    ///   - start: The bytes with which the block began.
    /// - Returns: `nil` if the constraint permits no block that begins so.
    init?(_ masker: SharedMasker, beginning start: some Sequence<UInt8>) {
        self.masker = masker
        state = masker.constraint.makeState()
        guard state.advance(start) == nil else { return nil }
    }

    /// Whether the block is whole.
    var isWhole: Bool { state.isAccepting }

    /// What is needed to draw the next token.
    var neededMask: NeededMask { masker.neededMask(state) }

    /// Masks all tokens in a row of logits that the constraint does not permit.
    ///
    /// - Parameter mask: ``neededMask``, if it is made already.
    /// - Returns: Whether any is left.
    func restrict(_ logits: UnsafeMutableBufferPointer<Float>, _ mask: TokenMask?) -> Bool {
        masker.restrict(logits, to: state, mask, or: [])
    }

    mutating func accept(_ token: Token) { state.advance(masker.bytes(of: token)) }
}
