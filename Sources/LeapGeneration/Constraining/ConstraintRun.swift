import LeapChat
import LeapConstraints
import LeapTokenizer

/// A constraint during one generation: where the answer is in it, and which tokens may come next.
///
///     opening ──<think>──► thought ──</think>──► opening
///     opening ──call mark──► call ──end mark──► called ──call mark──► call
///     opening ──anything else──► answer
///
/// Between a thought and the answer models leave lines free: those are part of neither.
/// Thoughts and calls are free, except that the answer does not end inside one. An answer that calls functions holds
/// nothing else.
struct ConstraintRun {
    private enum Stage {
        /// Nothing of the answer has come.
        case opening
        case thought
        case answer
        case call
        /// Behind a call.
        case called
    }

    private let masker: SharedMasker
    private let scope: ConstraintScope
    private var state: ConstraintState
    private var stage = Stage.opening
    private var hasThought = false
    /// Free lines that may still come.
    private var separators = 0
    /// Looks for the mark that ends the thought or call.
    private var matcher = EndMarkFinder([])
    /// Follows a call that has no mark at its end.
    private var reader: AnswerReader?

    init(_ masker: SharedMasker, _ scope: ConstraintScope) {
        self.masker = masker
        self.scope = scope
        state = masker.constraint.makeState()
        if scope.startsInThought { beginThought() }
    }

    /// Whether the answer satisfies the constraint, or calls functions in its place.
    var isSatisfied: Bool {
        switch stage {
        case .opening, .answer: state.isAccepting
        case .called: true
        case .thought, .call: false
        }
    }

    /// Whether it does and nothing can follow.
    var isComplete: Bool { stage == .answer && state.isComplete }

    /// Whether what comes is constrained, and so data in which nothing is a mark.
    var isInAnswer: Bool { stage == .answer }

    /// Takes all tokens that do not fit out of a row of logits.
    ///
    /// - Returns: Whether any is left.
    mutating func restrict(_ logits: UnsafeMutableBufferPointer<Float>) -> Bool {
        switch stage {
        case .answer: masker.restrict(logits, to: state, or: [])
        case .opening:
            masker.restrict(
                logits, to: state,
                or: [hasThought ? nil : scope.thoughtStart] + scope.callStarts
                    + (separators > 0 ? scope.separators : []))
        case .called: masker.restrict(logits, to: nil, or: scope.callStarts + masker.endTokens)
        case .thought, .call: masker.restrict(logits, until: matcher)
        }
    }

    /// Whether a token that comes next leaves lines free between a thought and the answer.
    func isSeparator(_ token: Token) -> Bool {
        stage == .opening && separators > 0 && scope.separators.contains(token)
    }

    mutating func accept(_ token: Token) {
        switch stage {
        case .opening where isSeparator(token): separators -= 1
        case .answer: state.advance(masker.bytes(of: token))
        case .thought: if matcher.append(masker.markBytes(of: token)) { stage = .opening }
        case .call: if endsCall(masker.markBytes(of: token)) { stage = .called }
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
        matcher = EndMarkFinder(scope.callEnd.utf8)
        guard scope.callEnd.isEmpty else { return }
        reader = scope.reading.reader(keepsLineBreaks: true)
        _ = reader?.append(String(decoding: masker.markBytes(of: start), as: UTF8.self))
    }

    /// Whether a call is whole: its mark has come, or where its dialect has none, nothing of it is open.
    private mutating func endsCall(_ bytes: [UInt8]) -> Bool {
        guard scope.callEnd.isEmpty else { return matcher.append(bytes) }
        _ = reader?.append(String(decoding: bytes, as: UTF8.self))
        return !(reader?.isInOpenCall ?? false)
    }
}

/// What an answer may hold beside the text that its constraint is about.
struct ConstraintScope {
    /// Whether the prompt ends inside a thought.
    var startsInThought = false
    /// The token that begins a thought; `nil` where the model must not, or cannot in one token.
    var thoughtStart: Token?
    /// The text that ends a thought.
    var thoughtEnd = ""
    /// The tokens that begin a function call; none where the model must not, or cannot in one token.
    var callStarts: [Token?] = []
    /// The text that ends a call; empty where it ends with itself.
    var callEnd = ""
    /// How calls are read.
    var reading = AnswerReading()
    /// Tokens that leave lines free.
    var separators: [Token?] = []
}

extension GenerationRequest {
    /// What the answer may hold beside the text that the constraint is about. A raw answer is nothing but that text.
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
        if mayCall {
            scope.callStarts = dialect.callStarts.compactMap { tokenizer.token(for: $0) }
            scope.callEnd = dialect.callEnd ?? ""
        }
        return scope
    }
}
