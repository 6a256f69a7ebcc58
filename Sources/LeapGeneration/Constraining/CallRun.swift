import LeapConstraints
import LeapTokenizer

/// Constrains the calls in an otherwise unconstrained answer: from its mark to its end, each call must satisfy the schema of
/// its function.
///
/// The model decides whether to call at all; everything else is text.
struct CallRun {
    private let masker: SharedMasker
    private let interruptsThoughts: Bool
    /// For each finder, the text that its mark has contributed to the constrained block.
    private let starts: [[UInt8]]
    /// Look for the marks that begin calls.
    private var finders: [EndMarkFinder]
    private var call: HeldCall?

    /// - Parameter masker: Of a constraint on one block of calls with its marks.
    init(_ masker: SharedMasker, _ scope: ConstraintScope, _ tokenizer: Tokenizer) {
        self.masker = masker
        interruptsThoughts = scope.callsInterruptThoughts
        let marks = scope.callMarks
        finders = marks.map { EndMarkFinder($0.utf8) }
        starts = marks.map { mark in
            tokenizer.token(for: mark).map { Array(masker.bytes(of: $0)) } ?? Array(mark.utf8)
        }
    }

    /// Whether what is permitted in a call depends on judgements of whole values.
    var judgesValues: Bool { call != nil && masker.constraint.judgesValues }

    /// What is needed to draw the next token; `nil` outside of calls.
    var neededMask: NeededMask? { call?.neededMask }

    /// Masks tokens in a row of logits: inside a call those that violate its constraint, elsewhere those that complete
    /// a call's mark and continue after it.
    ///
    /// - Parameter mask: ``neededMask``, if it is made already.
    /// - Returns: Whether any is left.
    func restrict(_ logits: UnsafeMutableBufferPointer<Float>, _ mask: TokenMask?) -> Bool {
        if let call { return call.restrict(logits, mask) }
        for finder in finders { masker.excludeOverruns(of: finder, from: logits) }
        return logits.contains { $0 > -.infinity }
    }

    /// - Parameter isThinking: Whether the answer stood in a thought before the token.
    mutating func accept(_ token: Token, isThinking: Bool) {
        guard call == nil else {
            call?.accept(token)
            if call?.isWhole == true { call = nil }
            return
        }
        let bytes = masker.markBytes(of: token)
        for index in finders.indices where finders[index].append(bytes) && (!isThinking || interruptsThoughts) {
            // If the constraint does not know the mark, the call stays unconstrained.
            call = call ?? HeldCall(masker, beginning: starts[index])
        }
    }
}
