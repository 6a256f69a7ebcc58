import LeapChat
import LeapConstraints
import LeapTokenizer

/// A constraint during one generation: where the answer is in it, and which tokens may come next.
///
///     opening ──<think>──► thought ──</think>──► opening
///     opening ──call mark──► call ──its end──► called ──call mark──► call
///     opening ──anything else──► answer
///
/// Blank lines between a thought and the answer belong to neither. Thoughts are unconstrained, and so are calls without a
/// constraint of their own, except that the answer cannot end inside one. An answer that calls functions contains nothing
/// else. If a call was begun but cannot be parsed, the answer has failed.
struct ConstraintRun {
    private enum Stage {
        /// Nothing of the answer has come.
        case opening
        case thought
        case answer
        case call
        /// After a call.
        case called
        /// After what was to be a call and cannot be read.
        case failed
    }

    private let masker: SharedMasker
    /// The masker of the constraint on a block of calls.
    private let callMasker: SharedMasker?
    private let scope: ConstraintScope
    private var state: ConstraintState
    private var stage = Stage.opening
    private var hasThought = false
    /// Free lines that may still come.
    private var separators = 0
    /// Looks for the mark that ends the thought or call.
    private var matcher = EndMarkFinder([])
    /// Reads the call that is being written.
    private var reader: AnswerReader?
    /// Whether a function is called in it.
    private var isCalling = false
    /// The call that is being written, if it is held to a schema.
    private var heldCall: HeldCall?

    /// - Parameters:
    ///   - masker: Of the constraint on the answer.
    ///   - callMasker: Of the constraint on a block of calls in its place; calls are free without one.
    init(_ masker: SharedMasker, calls callMasker: SharedMasker?, _ scope: ConstraintScope) {
        self.masker = masker
        self.callMasker = callMasker
        self.scope = scope
        state = masker.constraint.makeState()
        if scope.startsInThought { beginThought() }
    }

    /// Whether the answer satisfies the constraint, or calls functions in its place.
    var isSatisfied: Bool {
        switch stage {
        case .opening, .answer: state.isAccepting
        case .called: true
        case .thought, .call, .failed: false
        }
    }

    /// Whether the answer can neither satisfy the constraint any more nor call a function.
    var hasFailed: Bool { stage == .failed }

    /// Whether what is permitted now depends on judgements of whole values.
    var judgesValues: Bool { (stage == .call ? callMasker ?? masker : masker).constraint.judgesValues }

    /// Whether the answer satisfies the constraint and nothing can follow.
    var isComplete: Bool { stage == .answer && state.isComplete }

    /// Whether the answer is inside the constrained text, which is data: no text in it counts as a mark.
    var isInAnswer: Bool { stage == .answer && !scope.constrainsCalls }

    /// What is needed to draw the next token; `nil` where it does not depend on the constraint's state.
    var neededMask: NeededMask? {
        switch stage {
        case .opening, .answer: masker.neededMask(state)
        case .call: heldCall?.neededMask
        case .thought, .called, .failed: nil
        }
    }

    /// Masks all tokens in a row of logits that the constraint does not permit.
    ///
    /// - Parameter mask: ``neededMask``, if it is made already.
    /// - Returns: Whether any is left.
    func restrict(_ logits: UnsafeMutableBufferPointer<Float>, _ mask: TokenMask?) -> Bool {
        switch stage {
        case .answer: masker.restrict(logits, to: state, mask, or: [])
        case .opening:
            masker.restrict(
                logits, to: state, mask,
                or: [hasThought ? nil : scope.thoughtStart] + scope.callStarts
                    + (separators > 0 ? scope.separators : []))
        case .called: masker.restrict(logits, to: nil, nil, or: scope.callStarts + masker.endTokens)
        case .call: heldCall?.restrict(logits, mask) ?? masker.restrict(logits, until: matcher)
        case .thought: masker.restrict(logits, until: matcher)
        case .failed: false
        }
    }

    /// Whether a token that comes next would be a blank line between a thought and the answer.
    func isSeparator(_ token: Token) -> Bool {
        stage == .opening && separators > 0 && scope.separators.contains(token)
    }

    mutating func accept(_ token: Token) {
        switch stage {
        case .opening where isSeparator(token): separators -= 1
        case .answer: state.advance(masker.bytes(of: token))
        case .thought: if matcher.append(masker.markBytes(of: token)) { stage = .opening }
        case .call where heldCall != nil:
            heldCall?.accept(token)
            if heldCall?.isWhole == true { (stage, heldCall) = (.called, nil) }
        case .call: if endsCall(masker.markBytes(of: token)) { stage = isCalling ? .called : .failed }
        case .failed: break
        case .called: beginCall(token)
        case .opening where token == scope.thoughtStart && !hasThought: beginThought()
        case .opening where scope.callStarts.contains(token): beginCall(token)
        case .opening:
            stage = .answer
            state.advance(masker.bytes(of: token))
        }
    }

    private mutating func beginThought() {
        stage = .thought
        hasThought = true
        separators = 2
        matcher = EndMarkFinder(scope.thoughtEnd.utf8)
    }

    private mutating func beginCall(_ start: Token) {
        stage = .call
        heldCall = callMasker.flatMap { HeldCall($0, beginning: $0.bytes(of: start)) }
        matcher = EndMarkFinder(scope.callEnd.utf8)
        reader = scope.reading.reader(keepsLineBreaks: true)
        isCalling = false
        read(masker.markBytes(of: start))
    }

    /// Whether a call has ended, or turned out to be none: the reader is no longer inside it, and its closing mark has come
    /// if the dialect has one.
    private mutating func endsCall(_ bytes: [UInt8]) -> Bool {
        let isMarked = scope.callEnd.isEmpty || matcher.append(bytes)
        read(bytes)
        return isMarked && !(reader?.isInOpenCall ?? false)
    }

    private mutating func read(_ bytes: [UInt8]) {
        let isMark = !scope.callEnd.isEmpty && bytes.elementsEqual(scope.callEnd.utf8)
        for event in reader?.append(utf8: bytes, endsWithToken: isMark) ?? [] {
            switch event {
            case .callBegins: isCalling = true
            case .unreadable: isCalling = false
            case .text, .reasoningBegins, .reasoning, .reasoningEnds, .callArguments, .calls: break
            }
        }
    }
}

/// What an answer may contain besides the constrained text.
struct ConstraintScope {
    /// Whether the prompt ends inside a thought.
    var startsInThought = false
    /// The token that begins a thought; `nil` if the model must not, or cannot in one token.
    var thoughtStart: Token?
    /// The text that ends a thought.
    var thoughtEnd = ""
    /// The tokens that begin a function call; none if the model must not, or cannot in one token.
    var callStarts: [Token?] = []
    /// The texts that begin calls, whether they are tokens or not.
    var callMarks: [String] = []
    /// Whether a call ends a thought.
    var callsInterruptThoughts = false
    /// The text that ends a call; empty if it ends with itself.
    var callEnd = ""
    /// How calls are read.
    var reading = AnswerReading()
    /// Whether the constraint is about calls.
    var constrainsCalls = false
    /// Tokens that leave lines free.
    var separators: [Token?] = []
}

extension GenerationRequest {
    /// What the answer may contain in addition to the constrained text. A raw answer contains nothing else.
    func constraintScope(_ tokenizer: Tokenizer) -> ConstraintScope {
        guard routing != .raw else { return ConstraintScope() }
        var scope = ConstraintScope(startsInThought: routing.startsInReasoning)
        scope.separators = ["\n", "\n\n"].map { text in
            let tokens = tokenizer.encode(text, addSpecial: false, parseSpecial: false)
            return tokens.count == 1 ? tokens.first : nil
        }
        let dialect = reading.dialect
        scope.reading = reading
        scope.thoughtEnd = dialect.thoughtEnd ?? ""
        if mayThink { scope.thoughtStart = dialect.thoughtStart.flatMap { tokenizer.token(for: $0) } }
        scope.constrainsCalls = constrainsCalls
        if mayCall, !constrainsCalls {
            scope.callMarks = dialect.callStarts
            scope.callStarts = scope.callMarks.compactMap { tokenizer.token(for: $0) }
            scope.callsInterruptThoughts = dialect.callsInterruptThoughts
            scope.callEnd = dialect.callEnd ?? ""
        }
        return scope
    }
}
