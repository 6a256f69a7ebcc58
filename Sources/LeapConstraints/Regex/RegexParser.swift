/// Parses a regular expression of ECMA-262, without the features that no finite automaton has.
///
/// Lookbehind, back-references, and lookahead that no automaton can express are rejected with their position; lazy
/// quantifiers are equivalent to greedy ones, because only whole texts are accepted or rejected. As under the flag `u`,
/// a character is a Unicode scalar. Source: ECMA-262, section 22.2.1, "Patterns".
struct RegexParser {
    static let depthLimit = 200
    /// Larger counts are mistakes or attacks.
    static let countLimit = 1_000_000_000

    let scalars: [Unicode.Scalar]
    var position = 0
    private var depth = 0
    /// The position of the first lookahead.
    private var lookahead: Int?

    private init(_ pattern: String) {
        scalars = Array(pattern.unicodeScalars)
    }

    /// Parses an expression without lookahead.
    static func parse(_ pattern: String) throws(RegexError) -> Expression {
        let (expression, lookahead) = try parseWithLookahead(pattern)
        if let lookahead { throw RegexError(position: lookahead, reason: "lookahead cannot be enforced") }
        return expression
    }

    /// Parses an expression, and returns the position of its first lookahead.
    static func parseWithLookahead(_ pattern: String) throws(RegexError) -> (Expression, lookahead: Int?) {
        var parser = RegexParser(pattern)
        let expression = try parser.alternatives()
        guard parser.peek == nil else { throw parser.error("unmatched ')'") }
        return (expression, parser.lookahead)
    }

    private mutating func alternatives() throws(RegexError) -> Expression {
        depth += 1
        guard depth <= Self.depthLimit else { throw error("groups are nested deeper than \(Self.depthLimit) levels") }
        var branches = [try sequence()]
        while take("|") { branches.append(try sequence()) }
        depth -= 1
        return branches.count == 1 ? branches[0] : Self.choice(branches)
    }

    /// An alternation; single characters are merged into one set.
    private static func choice(_ branches: [Expression]) -> Expression {
        var ranges: [ClosedRange<UInt32>] = []
        for branch in branches {
            guard case .scalars(let set) = branch else { return .choice(branches) }
            ranges += set.ranges
        }
        return .scalars(ScalarSet(ranges))
    }

    private mutating func sequence() throws(RegexError) -> Expression {
        var parts: [Expression] = []
        while let next = peek, next != "|", next != ")" {
            let start = position
            let atom = try atom()
            let quantified = try quantifier(atom, at: start)
            parts.append(quantified)
        }
        return parts.count == 1 ? parts[0] : .sequence(parts)
    }

    private mutating func atom() throws(RegexError) -> Expression {
        guard let scalar = peek else { throw error("unexpected end of the pattern") }
        switch scalar {
        case "^":
            position += 1
            return .textStart
        case "$":
            position += 1
            return .textEnd
        case ".":
            position += 1
            return .scalars(RegexClasses.lineEnds.inverted)
        case "(": return try group()
        case "[": return .scalars(try characterClass())
        case "\\": return try escapedAtom()
        case "*", "+", "?": throw error("'\(scalar)' must follow something to repeat")
        case "{":
            if isQuantifier { throw error("'{' must follow something to repeat") }
            fallthrough
        default:
            position += 1
            return .scalars(ScalarSet([scalar.value...scalar.value]))
        }
    }

    private mutating func group() throws(RegexError) -> Expression {
        let start = position
        position += 1
        let isNegative = take("?") ? try groupKind(start) : nil
        let body = try alternatives()
        guard take(")") else { throw RegexError(position: start, reason: "'(' is not closed") }
        guard let isNegative else { return body }
        lookahead = lookahead ?? start
        return .lookahead(body, isNegative: isNegative)
    }

    /// - Returns: For lookahead, whether it is negative.
    private mutating func groupKind(_ start: Int) throws(RegexError) -> Bool? {
        if take(":") { return nil }
        if take("=") { return false }
        if take("!") { return true }
        guard take("<") else {
            throw RegexError(position: start, reason: "'(?' must be followed by ':', '=', '!' or a group name in '<>'")
        }
        if peek == "=" || peek == "!" { throw RegexError(position: start, reason: "lookbehind cannot be enforced") }
        let name = position
        while let scalar = peek, scalar.properties.isAlphabetic || scalar == "_" || scalar == "$" || isDigit(scalar) {
            position += 1
        }
        guard position > name, take(">") else {
            throw RegexError(position: start, reason: "malformed group name")
        }
        return nil
    }
}

// MARK: - Quantifiers

extension RegexParser {
    private mutating func quantifier(_ atom: Expression, at start: Int) throws(RegexError) -> Expression {
        guard let (minimum, maximum) = try quantity() else { return atom }
        if scalars[start] == "^" || scalars[start] == "$" {
            throw RegexError(position: start, reason: "'\(scalars[start])' cannot be repeated")
        }
        _ = take("?")
        if let next = peek, next == "*" || next == "+" || next == "?" || (next == "{" && isQuantifier) {
            throw error("'\(next)' cannot follow another quantifier")
        }
        // `(^)*`: a condition on the place holds as often as it is asked for, or need not hold.
        if atom == .textStart || atom == .textEnd { return minimum == 0 ? .empty : atom }
        return .repeated(atom, minimum: minimum, maximum: maximum)
    }

    private mutating func quantity() throws(RegexError) -> (minimum: Int, maximum: Int?)? {
        if take("*") { return (0, nil) }
        if take("+") { return (1, nil) }
        if take("?") { return (0, 1) }
        guard peek == "{", isQuantifier else { return nil }
        let start = position
        position += 1
        let minimum = try count()
        var maximum: Int? = minimum
        if take(",") { maximum = peek == "}" ? nil : try count() }
        _ = take("}")
        if let maximum, maximum < minimum {
            throw RegexError(position: start, reason: "the maximum \(maximum) is below the minimum \(minimum)")
        }
        return (minimum, maximum)
    }

    /// Whether `{` begins a quantifier; otherwise it is a literal, as in browsers.
    private var isQuantifier: Bool {
        var index = position + 1
        func digits() -> Bool {
            let start = index
            while index < scalars.count, isDigit(scalars[index]) { index += 1 }
            return index > start
        }
        guard digits() else { return false }
        if index < scalars.count, scalars[index] == "," {
            index += 1
            _ = digits()
        }
        return index < scalars.count && scalars[index] == "}"
    }

    private mutating func count() throws(RegexError) -> Int {
        var value = 0
        while let scalar = peek, isDigit(scalar) {
            value = value * 10 + Int(scalar.value - 48)
            guard value <= Self.countLimit else { throw error("counts above \(Self.countLimit) are not supported") }
            position += 1
        }
        return value
    }
}

// MARK: - Characters

extension RegexParser {
    var peek: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

    mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard peek == scalar else { return false }
        position += 1
        return true
    }

    func isDigit(_ scalar: Unicode.Scalar) -> Bool { "0"..."9" ~= scalar }

    func error(_ reason: String) -> RegexError { RegexError(position: position, reason: reason) }
}

/// Why a pattern is rejected.
struct RegexError: Error {
    /// In Unicode scalars from the beginning.
    let position: Int
    let reason: String
}
