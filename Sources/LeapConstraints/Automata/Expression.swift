/// A regular expression over Unicode scalars and, with ``rule(_:)``, the right-hand side of a grammar rule.
///
/// The intermediate form of patterns, formats, number ranges and grammars, before they become automata.
indirect enum Expression: Hashable, Sendable {
    /// One scalar of the set.
    case scalars(ScalarSet)
    /// A concatenation; the empty sequence matches the empty text.
    case sequence([Expression])
    /// An alternation; an empty choice matches nothing.
    case choice([Expression])
    /// `minimum` to `maximum` times; without a maximum, any number from the minimum on.
    case repetition(Expression, minimum: Int, maximum: Int?)
    /// The empty text, but only at the beginning of the text.
    case textStart
    /// The empty text, but only at the end of the text.
    case textEnd
    /// The empty text where the expression matches, or does not match, next. It has no automaton of its own.
    case lookahead(Expression, isNegative: Bool)
    /// The texts of the first expression that are, or are not, texts of the second. Nothing follows them.
    case filtered(Expression, by: Expression, isNegative: Bool)
    /// A reference to another rule of the grammar.
    case rule(Int)

    static let empty = Expression.sequence([])
    static let anyScalar = Expression.scalars(.all)

    /// Exactly this text.
    static func text(_ text: some StringProtocol) -> Expression {
        .sequence(text.unicodeScalars.map { .scalars(ScalarSet([$0.value...$0.value])) })
    }

    static func optional(_ body: Expression) -> Expression { .repetition(body, minimum: 0, maximum: 1) }

    static func any(_ body: Expression) -> Expression { .repetition(body, minimum: 0, maximum: nil) }

    static func range(_ range: ClosedRange<Unicode.Scalar>) -> Expression {
        .scalars(ScalarSet([range.lowerBound.value...range.upperBound.value]))
    }
}

extension Expression {
    /// A lower bound on the states of an NFA for this expression; saturates.
    var size: Int {
        switch self {
        case .scalars: 1
        case .sequence(let parts), .choice(let parts): parts.reduce(1) { Self.add($0, $1.size) }
        case .repetition(let body, let minimum, let maximum):
            Self.multiply(body.size, max(maximum ?? minimum, 1))
        case .textStart, .textEnd, .rule: 1
        case .lookahead(let body, _): body.size
        case .filtered(let body, let filter, _): Self.add(body.size, filter.size)
        }
    }

    private static func add(_ a: Int, _ b: Int) -> Int {
        let (sum, overflow) = a.addingReportingOverflow(b)
        return overflow ? .max : sum
    }

    private static func multiply(_ a: Int, _ b: Int) -> Int {
        let (product, overflow) = a.multipliedReportingOverflow(by: b)
        return overflow ? .max : product
    }

    /// A repetition. One directly inside it is multiplied out where the texts stay the same: `(a{0,9}){0,9}` is
    /// `a{0,81}`.
    static func repeated(_ body: Expression, minimum: Int, maximum: Int?) -> Expression {
        guard case .repetition(let inner, let innerMinimum, let innerMaximum) = body else {
            return .repetition(body, minimum: minimum, maximum: maximum)
        }
        // The counts of k rounds and of k + 1 rounds must leave no gap, for every possible k.
        let rounds = max(minimum, 1)
        let meet = innerMaximum.map { multiply(innerMinimum, add(rounds, 1)) <= add(multiply($0, rounds), 1) } ?? true
        guard meet || minimum == maximum, minimum > 0 || maximum == 0 || innerMinimum <= 1 else {
            return .repetition(body, minimum: minimum, maximum: maximum)
        }
        let total = maximum.flatMap { outer in innerMaximum.map { multiply(outer, $0) } }
        let zero = maximum == 0 || innerMaximum == 0
        return .repetition(inner, minimum: multiply(minimum, innerMinimum), maximum: zero ? 0 : total)
    }
}
