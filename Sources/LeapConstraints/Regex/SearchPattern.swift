/// A regular expression that must match somewhere in a string, as in `pattern` and `patternProperties`.
///
/// Lookahead is supported outside of repetitions: it constrains the rest of the string, which after `^` is the whole
/// string.
struct SearchPattern {
    /// A string matches if it matches any of them.
    let alternatives: [Alternative]
    /// Where the first lookahead begins; `nil` without any.
    let lookahead: Int?

    /// What a string must match, and must not.
    struct Alternative {
        var whole: Expression
        var required: [Expression] = []
        var excluded: [Expression] = []
        /// How many scalars it has.
        var minimum = 0
        var maximum: Int?

        /// Whether it is nothing but one expression.
        var isPlain: Bool { required.isEmpty && excluded.isEmpty && minimum == 0 && maximum == nil }

        fileprivate mutating func look(ahead body: Expression, isNegative: Bool) {
            if !isNegative, case .sequence(let parts) = body, parts.count == 2, parts[1] == .textEnd,
                case .repetition(.scalars(let set), let minimum, let maximum) = parts[0]
            {
                required.append(.any(.scalars(set)))
                self.minimum = max(self.minimum, minimum)
                self.maximum = maximum.map { min($0, self.maximum ?? $0) } ?? self.maximum
                return
            }
            let beginning = Expression.sequence([body, SearchPattern.anyText])
            if isNegative { excluded.append(beginning) } else { required.append(beginning) }
        }
    }

    /// - Throws: For lookahead inside a repetition, or where there is too much of it.
    init(_ text: String) throws(RegexError) { try self.init(text, isWhole: false) }

    /// An expression that whole texts match.
    ///
    /// - Throws: For lookahead inside a repetition, or where there is too much of it.
    init(whole text: String) throws(RegexError) { try self.init(text, isWhole: true) }

    private init(_ text: String, isWhole: Bool) throws(RegexError) {
        let (expression, lookahead) = try RegexParser.parseWithLookahead(text)
        let branches = if case .choice(let branches) = expression { branches } else { [expression] }
        var alternatives: [Alternative] = []
        for branch in branches {
            let parts = if case .sequence(let parts) = branch { parts } else { [branch] }
            guard let alternative = Self.alternative(isWhole ? [.textStart] + parts + [.textEnd] : parts) else {
                throw RegexError(position: lookahead ?? 0, reason: "lookahead can be enforced at the edges only")
            }
            alternatives.append(alternative)
        }
        self.alternatives = alternatives
        self.lookahead = lookahead
    }

    /// The strings that match as one expression, if no lookahead is left.
    var expression: Expression? {
        guard alternatives.allSatisfy(\.isPlain) else { return nil }
        return alternatives.count == 1 ? alternatives[0].whole : .choice(alternatives.map(\.whole))
    }

    fileprivate static let anyText = Expression.any(.anyScalar)

    private static func alternative(_ parts: [Expression]) -> Alternative? {
        var parts = parts
        var result = Alternative(whole: .empty)
        let isAnchored = parts.first == .textStart
        parts = Array(parts.drop { $0 == .textStart })
        if isAnchored {
            while case .lookahead(let body, let isNegative) = parts.first {
                result.look(ahead: body, isNegative: isNegative)
                parts.removeFirst()
            }
        }
        let isClosed = parts.last == .textEnd
        while parts.last == .textEnd { parts.removeLast() }
        if isAnchored, isClosed, parts.count == 1, let avoiding = avoiding(parts[0]) {
            result.excluded.append(.sequence([anyText, avoiding.text, anyText]))
            parts = [avoiding.rest]
        }
        if !isClosed, case .lookahead(let body, false) = parts.last { parts[parts.count - 1] = body }
        guard !parts.contains(where: \.hasLookahead) else { return nil }
        if !isAnchored { parts = [anyText] + shortened(parts, atEnd: false) }
        if !isClosed { parts = shortened(parts, atEnd: true) + [anyText] }
        result.whole = .sequence(parts)
        guard !(result.required + result.excluded).contains(where: \.hasLookahead) else { return nil }
        return result
    }

    /// `((?!text).)*`: any number of characters, and nowhere the text.
    private static func avoiding(_ part: Expression) -> (text: Expression, rest: Expression)? {
        guard case .repetition(.sequence(let pair), let minimum, let maximum) = part, pair.count == 2,
            case .lookahead(let text, true) = pair[0], case .scalars = pair[1], !text.matchesNothing
        else { return nil }
        return (text, .repetition(pair[1], minimum: minimum, maximum: maximum))
    }

    /// Beside any text, a repetition matches wherever its fewest rounds do.
    private static func shortened(_ parts: [Expression], atEnd: Bool) -> [Expression] {
        var parts = parts
        let edge = atEnd ? parts.count - 1 : 0
        if parts.indices.contains(edge), case .repetition(let body, let minimum, _) = parts[edge],
            !body.hasAnchor
        {
            parts[edge] = .repetition(body, minimum: minimum, maximum: minimum)
        }
        return parts
    }
}

extension Expression {
    /// Whether lookahead is left anywhere in it.
    fileprivate var hasLookahead: Bool { contains { if case .lookahead = $0 { true } else { false } } }

    /// Whether it depends on where the text begins or ends.
    fileprivate var hasAnchor: Bool { contains { $0 == .textStart || $0 == .textEnd } }

    /// Whether the empty text matches.
    fileprivate var matchesNothing: Bool {
        switch self {
        case .scalars, .rule: false
        case .sequence(let parts): parts.allSatisfy(\.matchesNothing)
        case .choice(let parts): parts.contains(where: \.matchesNothing)
        case .repetition(let body, let minimum, _): minimum == 0 || body.matchesNothing
        case .textStart, .textEnd, .lookahead: true
        }
    }

    private func contains(_ condition: (Expression) -> Bool) -> Bool {
        if condition(self) { return true }
        switch self {
        case .scalars, .rule, .textStart, .textEnd: return false
        case .sequence(let parts), .choice(let parts): return parts.contains { $0.contains(condition) }
        case .repetition(let body, _, _), .lookahead(let body, _): return body.contains(condition)
        }
    }
}
