/// A regular expression that must match somewhere in a string, as in `pattern` and `patternProperties`.
///
/// Lookahead is supported outside of repetitions: it constrains the rest of the string, which after `^` is the whole
/// string.
struct SearchPattern {
    /// A string matches if it matches any alternative.
    let alternatives: [Alternative]
    /// The position of the first lookahead; `nil` if there is none.
    let lookahead: Int?

    /// The expressions that a string must match, and those that it must not.
    struct Alternative {
        var whole: Expression
        var required: [Expression] = []
        var excluded: [Expression] = []
        /// The minimum number of scalars.
        var minimum = 0
        var maximum: Int?

        /// Whether it consists of a single expression only.
        var isPlain: Bool {
            required.isEmpty && excluded.isEmpty && minimum == 0 && maximum == nil && !whole.isFiltered
        }

        /// These alternatives, restricted by a lookahead at their beginning.
        fileprivate func looking(ahead body: Expression, isNegative: Bool) -> [Alternative] {
            if !isNegative, let bounded = bounded(by: body) { return bounded }
            var result = self
            let beginning = Expression.sequence([body, SearchPattern.anyText])
            if isNegative { result.excluded.append(beginning) } else { result.required.append(beginning) }
            return [result]
        }

        /// `.{1,9}$` bounds the length, and so does `.{1,9}x?$`, which permits one more character at the end.
        private func bounded(by body: Expression) -> [Alternative]? {
            guard case .sequence(var parts) = body, parts.popLast() == .textEnd,
                case .repetition(.scalars(let set), let minimum, let maximum) = parts.first
            else { return nil }
            let any = Expression.any(.scalars(set))
            let short = requiring(any, minimum, maximum)
            if parts.count == 1 { return [short] }
            guard parts.count == 2, case .repetition(.scalars(let last), 0, 1) = parts[1] else { return nil }
            return [short, requiring(.sequence([any, .scalars(last)]), minimum + 1, maximum.map { $0 + 1 })]
        }

        private func requiring(_ whole: Expression, _ minimum: Int, _ maximum: Int?) -> Alternative {
            var result = self
            result.required.append(whole)
            result.minimum = max(self.minimum, minimum)
            result.maximum = maximum.map { min($0, self.maximum ?? $0) } ?? self.maximum
            return result
        }
    }

    /// - Throws: For lookahead inside a repetition, or too much lookahead.
    init(_ text: String) throws(RegexError) { try self.init(text, isWhole: false) }

    /// Parses an expression that must match whole texts.
    ///
    /// - Throws: For lookahead inside a repetition, or too much lookahead.
    init(whole text: String) throws(RegexError) { try self.init(text, isWhole: true) }

    private init(_ text: String, isWhole: Bool) throws(RegexError) {
        let (expression, lookahead) = try RegexParser.parseWithLookahead(text)
        let branches = if case .choice(let branches) = expression { branches } else { [expression] }
        var alternatives: [Alternative] = []
        for branch in branches {
            let parts = if case .sequence(let parts) = branch { parts } else { [branch] }
            guard let found = Self.alternatives(isWhole ? [.textStart] + parts + [.textEnd] : parts) else {
                throw RegexError(position: lookahead ?? 0, reason: "lookahead cannot be enforced inside a repetition")
            }
            alternatives += found
        }
        self.alternatives = alternatives
        self.lookahead = lookahead
    }

    /// The matching strings as one expression, if no lookahead is left.
    var expression: Expression? {
        guard alternatives.allSatisfy(\.isPlain) else { return nil }
        return alternatives.count == 1 ? alternatives[0].whole : .choice(alternatives.map(\.whole))
    }

    fileprivate static let anyText = Expression.any(.anyScalar)

    private static func alternatives(_ parts: [Expression]) -> [Alternative]? {
        var parts = parts
        var result = [Alternative(whole: .empty)]
        let isAnchored = parts.first == .textStart
        parts = Array(parts.drop { $0 == .textStart })
        if isAnchored {
            while case .lookahead(let body, let isNegative) = parts.first {
                result = result.flatMap { $0.looking(ahead: body, isNegative: isNegative) }
                // Each lookahead that bounds the length may double the alternatives.
                guard result.count <= lookaheadLimit else { return nil }
                parts.removeFirst()
            }
        }
        let isClosed = parts.last == .textEnd
        while parts.last == .textEnd { parts.removeLast() }
        if isAnchored, isClosed, parts.count == 1, let avoiding = avoiding(parts[0]) {
            let excluded = Expression.sequence([anyText, avoiding.text, anyText])
            for index in result.indices { result[index].excluded.append(excluded) }
            parts = [avoiding.rest]
        }
        if !isClosed, case .lookahead(let body, false) = parts.last { parts[parts.count - 1] = body }
        if !isAnchored { parts = [anyText] + shortened(parts, atEnd: false) }
        if !isClosed { parts = shortened(parts, atEnd: true) + [anyText] }
        var rewrites = 0
        guard let whole = filtered(parts, &rewrites) else { return nil }
        for index in result.indices { result[index].whole = whole }
        let others = result.flatMap { $0.required + $0.excluded }
        return others.contains(where: \.hasLookahead) ? nil : result
    }

    private static let lookaheadLimit = 64

    /// The rest of a pattern, with each lookahead as a filter of what follows it; nil for lookahead inside a repetition
    /// or too much lookahead.
    private static func filtered(_ parts: [Expression], _ rewrites: inout Int) -> Expression? {
        guard let index = parts.firstIndex(where: \.hasLookahead) else { return .sequence(parts) }
        rewrites += 1
        guard rewrites <= lookaheadLimit else { return nil }
        let (before, after) = (Array(parts[..<index]), Array(parts[(index + 1)...]))
        switch parts[index] {
        case .lookahead(let body, let isNegative):
            // A separate automaton for the rest would mistake its own beginning for the beginning of the text.
            guard !body.hasLookahead, !(after + [body]).contains(where: \.hasTextStart),
                let rest = filtered(after, &rewrites)
            else { return nil }
            let filter = Expression.sequence([body, anyText])
            return .sequence(before + [.filtered(rest, by: filter, isNegative: isNegative)])
        case .sequence(let inner): return filtered(before + inner + after, &rewrites)
        case .repetition(let body, 0, 1): return filtered(before + [.choice([.empty, body])] + after, &rewrites)
        case .choice(let branches):
            var ways: [Expression] = []
            for branch in branches {
                guard let way = filtered([branch] + after, &rewrites) else { return nil }
                ways.append(way)
            }
            return .sequence(before + [.choice(ways)])
        default: return nil
        }
    }

    /// `((?!text).)*`: any number of characters that nowhere contain the text.
    private static func avoiding(_ part: Expression) -> (text: Expression, rest: Expression)? {
        guard case .repetition(.sequence(let pair), let minimum, let maximum) = part, pair.count == 2,
            case .lookahead(let text, true) = pair[0], case .scalars = pair[1], !text.matchesNothing
        else { return nil }
        return (text, .repetition(pair[1], minimum: minimum, maximum: maximum))
    }

    /// Next to arbitrary text, a repetition matches wherever its minimum number of rounds does.
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
    /// Whether it contains lookahead.
    fileprivate var hasLookahead: Bool { contains { if case .lookahead = $0 { true } else { false } } }

    /// Whether it depends on the beginning or the end of the text.
    fileprivate var hasAnchor: Bool { contains { $0 == .textStart || $0 == .textEnd } }

    fileprivate var hasTextStart: Bool { contains { $0 == .textStart } }

    /// Whether it contains lookahead that became a filter.
    fileprivate var isFiltered: Bool { contains { if case .filtered = $0 { true } else { false } } }

    /// Whether the empty text matches.
    fileprivate var matchesNothing: Bool {
        switch self {
        case .scalars, .rule: false
        case .sequence(let parts): parts.allSatisfy(\.matchesNothing)
        case .choice(let parts): parts.contains(where: \.matchesNothing)
        case .repetition(let body, let minimum, _): minimum == 0 || body.matchesNothing
        case .textStart, .textEnd, .lookahead, .filtered: true
        }
    }

    private func contains(_ condition: (Expression) -> Bool) -> Bool {
        if condition(self) { return true }
        switch self {
        case .scalars, .rule, .textStart, .textEnd: return false
        case .sequence(let parts), .choice(let parts): return parts.contains { $0.contains(condition) }
        case .repetition(let body, _, _), .lookahead(let body, _): return body.contains(condition)
        case .filtered(let body, let filter, _): return body.contains(condition) || filter.contains(condition)
        }
    }
}
