import LeapConstraints
import LeapTokenizer

/// A block of calls that is being written, held to the schemas of its functions.
struct HeldCall {
    private let masker: SharedMasker
    private var state: ConstraintState

    /// - Parameters:
    ///   - masker: Of a constraint on one block with its marks.
    ///   - start: How the block has begun.
    /// - Returns: `nil` where no block begins so that the constraint knows.
    init?(_ masker: SharedMasker, beginning start: some Sequence<UInt8>) {
        self.masker = masker
        state = masker.constraint.makeState()
        guard state.advance(start) == nil else { return nil }
    }

    /// Whether the block is whole.
    var isWhole: Bool { state.isAccepting }

    /// Takes all tokens that do not fit out of a row of logits.
    ///
    /// - Returns: Whether any is left.
    func restrict(_ logits: UnsafeMutableBufferPointer<Float>) -> Bool { masker.restrict(logits, to: state, or: []) }

    mutating func accept(_ token: Token) { state.advance(masker.bytes(of: token)) }
}
