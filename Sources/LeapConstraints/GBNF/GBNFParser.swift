/// Parses a grammar in llama.cpp's notation: one `name ::= alternatives` per line.
///
/// A rule continues over line breaks inside parentheses, after `::=` and around `|`. Of several rules with the same
/// name, the last one counts. Left recursion is rejected, as in llama.cpp. Source: llama.cpp, grammars/README.md.
struct GBNFParser {
    static let depthLimit = 200
    static let countLimit = 1_000_000_000

    let scalars: [Unicode.Scalar]
    var position = 0
    private var depth = 0
    private var names: [String: Int] = [:]
    private var rules: [Rule] = []

    private struct Rule {
        let name: String
        /// Where the rule is defined, or first used.
        var position: Int
        var expression: Expression?
    }

    struct Grammar {
        let expressions: [Expression]
        let root: Int
    }

    private init(_ text: String) { scalars = Array(text.unicodeScalars) }

    static func parse(_ text: String) throws(ConstraintError) -> Grammar {
        var parser = GBNFParser(text)
        try parser.parseRules()
        return try parser.finished()
    }

    private mutating func parseRules() throws(ConstraintError) {
        skipSpace(lines: true)
        while peek != nil {
            let start = position
            let rule = self.rule(try name(), at: start)
            skipSpace(lines: false)
            guard take(":"), take(":"), take("=") else { throw error("expected '::=' after the rule name") }
            rules[rule].position = start
            skipSpace(lines: true)
            rules[rule].expression = try alternatives(nested: false)
            guard peek == nil || peek == "\n" || peek == "\r" else {
                throw error("expected the end of the line after the rule")
            }
            skipSpace(lines: true)
        }
    }

    private func finished() throws(ConstraintError) -> Grammar {
        var expressions: [Expression] = []
        for rule in rules {
            guard let expression = rule.expression else {
                throw error("the rule '\(rule.name)' is not defined", at: rule.position)
            }
            expressions.append(expression)
        }
        guard let root = names["root"] else { throw error("the grammar has no rule 'root'") }
        if let cycle = RuleFacts(expressions).leftRecursion(expressions) {
            let path = cycle.map { rules[$0].name }.joined(separator: " → ")
            throw error("left recursion: \(path)", at: rules[cycle[0]].position)
        }
        return Grammar(expressions: expressions, root: root)
    }

    private mutating func rule(_ name: String, at position: Int) -> Int {
        if let index = names[name] { return index }
        names[name] = rules.count
        rules.append(Rule(name: name, position: position, expression: nil))
        return rules.count - 1
    }

    private mutating func name() throws(ConstraintError) -> String {
        var name = ""
        while let scalar = peek, isNamePart(scalar) {
            name.unicodeScalars.append(scalar)
            position += 1
        }
        guard !name.isEmpty else { throw error("expected a rule name") }
        return name
    }

    private func isNamePart(_ scalar: Unicode.Scalar) -> Bool {
        "a"..."z" ~= scalar || "A"..."Z" ~= scalar || "0"..."9" ~= scalar || scalar == "-" || scalar == "_"
    }
}

// MARK: - Right-hand sides

extension GBNFParser {
    private mutating func alternatives(nested: Bool) throws(ConstraintError) -> Expression {
        depth += 1
        guard depth <= Self.depthLimit else { throw error("groups are nested deeper than \(Self.depthLimit) levels") }
        var branches = [try sequence(nested: nested)]
        while takeBar(nested: nested) {
            skipSpace(lines: true)
            branches.append(try sequence(nested: nested))
        }
        depth -= 1
        return branches.count == 1 ? branches[0] : .choice(branches)
    }

    /// Consumes `|`, which may also begin the next line.
    private mutating func takeBar(nested: Bool) -> Bool {
        let start = position
        skipSpace(lines: true)
        if take("|") { return true }
        if !nested { position = start }
        return false
    }

    private mutating func sequence(nested: Bool) throws(ConstraintError) -> Expression {
        var parts: [Expression] = []
        skipSpace(lines: nested)
        while let scalar = peek, let part = try part(scalar) {
            let quantified = try quantified(part, nested: nested)
            parts.append(quantified)
            skipSpace(lines: nested)
        }
        return parts.count == 1 ? parts[0] : .sequence(parts)
    }

    private mutating func part(_ scalar: Unicode.Scalar) throws(ConstraintError) -> Expression? {
        switch scalar {
        case "\"": return try literal()
        case "[": return .scalars(try characterClass())
        case ".":
            position += 1
            return .anyScalar
        case "(":
            let start = position
            position += 1
            let body = try alternatives(nested: true)
            guard take(")") else { throw error("'(' is not closed", at: start) }
            return body
        case "<", "!": throw error("matching tokens is not supported, only matching their text")
        case "*", "+", "?", "{": throw error("'\(scalar)' must follow something to repeat")
        case _ where isNamePart(scalar):
            let start = position
            return .rule(rule(try name(), at: start))
        default: return nil
        }
    }

    private mutating func quantified(_ part: Expression, nested: Bool) throws(ConstraintError) -> Expression {
        var part = part
        while true {
            skipSpace(lines: nested)
            switch peek {
            case "*": part = .repeated(part, minimum: 0, maximum: nil)
            case "+": part = .repeated(part, minimum: 1, maximum: nil)
            case "?": part = .repeated(part, minimum: 0, maximum: 1)
            case "{":
                let (minimum, maximum) = try counts()
                part = .repeated(part, minimum: minimum, maximum: maximum)
            default: return part
            }
            position += 1
        }
    }

    /// `{m}`, `{m,}`, `{m,n}` or `{,n}`; leaves the position at the closing brace.
    private mutating func counts() throws(ConstraintError) -> (Int, Int?) {
        let start = position
        position += 1
        skipSpace(lines: false)
        let first = try count()
        skipSpace(lines: false)
        var maximum = first
        if take(",") {
            skipSpace(lines: false)
            maximum = try count()
            skipSpace(lines: false)
            if first == nil, maximum == nil { throw error("'{' must be followed by a count", at: start) }
        } else if first == nil {
            throw error("'{' must be followed by a count", at: start)
        }
        guard peek == "}" else { throw error("'{' is not closed", at: start) }
        if let maximum, maximum < first ?? 0 {
            throw error("the maximum \(maximum) is below the minimum \(first ?? 0)", at: start)
        }
        return (first ?? 0, maximum)
    }

    private mutating func count() throws(ConstraintError) -> Int? {
        var value: Int?
        while let scalar = peek, "0"..."9" ~= scalar {
            let next = (value ?? 0) * 10 + Int(scalar.value - 48)
            guard next <= Self.countLimit else { throw error("counts above \(Self.countLimit) are not supported") }
            value = next
            position += 1
        }
        return value
    }
}
