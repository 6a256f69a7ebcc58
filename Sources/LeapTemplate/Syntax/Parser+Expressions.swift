/// Expressions, by precedence climbing: operators of one level are collected in a loop, tighter-binding ones by
/// recursion.
extension Parser {
    /// How tightly operators bind, loosest first.
    private enum Precedence: Int {
        case or, and, not, comparison, sum, concatenation, product, power, unary
    }

    /// An expression, with `a if b else c` unless `allowsConditional` is false.
    mutating func parseExpression(allowsConditional: Bool = true) throws(Failure) -> any Expression {
        try nested { parser throws(Failure) in
            try allowsConditional ? parser.parseConditional() : parser.parseOperators(.or)
        }
    }

    private mutating func parseConditional() throws(Failure) -> any Expression {
        let unknownBefore = unknownNames.count
        let consequence = try parseOperators(.or)
        guard at(word: "if") else { return consequence }
        // The branch may never be executed.
        unknownNames.removeSubrange(unknownBefore...)
        let wasInBranch = isInBranch
        isInBranch = true
        defer { isInBranch = wasInBranch }
        var conditions: [ConditionalExpression.Condition] = []
        while try take(word: "if") {
            let test = try parseOperators(.or)
            conditions.append((test, try take(word: "else") ? parseExpression() : nil))
        }
        return ConditionalExpression(consequence, conditions)
    }

    private mutating func parseOperators(_ level: Precedence) throws(Failure) -> any Expression {
        guard level != .unary else { return try parseUnary() }
        if level.rawValue <= Precedence.not.rawValue, at(word: "not") { return try parseNot(level) }
        var left = try parseUnary()
        // From the tightest level outwards, so that each finds its left operand complete.
        for climbing in stride(from: Precedence.power.rawValue, through: level.rawValue, by: -1) {
            guard let climbing = Precedence(rawValue: climbing) else { continue }
            left = try parseChain(climbing, startingWith: left)
        }
        return left
    }

    private mutating func parseNot(_ level: Precedence) throws(Failure) -> any Expression {
        let offset = try advance().offset
        let operand = try nested { parser throws(Failure) in try parser.parseOperators(.not) }
        var left: any Expression = NotExpression(operand, offset: offset)
        if level.rawValue <= Precedence.and.rawValue { left = try parseChain(.and, startingWith: left) }
        if level == .or { left = try parseChain(.or, startingWith: left) }
        return left
    }

    private mutating func parseChain(
        _ level: Precedence, startingWith first: any Expression
    ) throws(Failure) -> any Expression {
        switch level {
        case .or: try parseLogical("or", above: .and, first)
        case .and: try parseLogical("and", above: .not, first)
        case .comparison: try parseComparison(first)
        case .concatenation: try parseConcatenation(first)
        case .sum, .product, .power: try parseArithmetic(level, first)
        case .not, .unary: first
        }
    }

    private mutating func parseLogical(
        _ word: String, above next: Precedence, _ first: any Expression
    ) throws(Failure) -> any Expression {
        var operands = [first]
        while try take(word: word) { operands.append(try parseOperators(next)) }
        return operands.count == 1 ? first : LogicalExpression(operands, isAnd: word == "and")
    }

    private mutating func parseConcatenation(_ first: any Expression) throws(Failure) -> any Expression {
        var operands = [first]
        while try take(.tilde) { operands.append(try parseOperators(.product)) }
        return operands.count == 1 ? first : ConcatenationExpression(operands)
    }

    private mutating func parseArithmetic(
        _ level: Precedence, _ first: any Expression
    ) throws(Failure) -> any Expression {
        var terms: [ArithmeticExpression.Term] = []
        while case .symbol(let symbol) = current.kind, let operation = ArithmeticOperator(rawValue: symbol.rawValue),
            Self.precedence(of: operation) == level
        {
            let offset = try advance().offset
            let next = Precedence(rawValue: level.rawValue + 1) ?? .unary
            terms.append((operation, try parseOperators(next), offset))
        }
        return terms.isEmpty ? first : ArithmeticExpression(first, terms)
    }

    private static func precedence(of operation: ArithmeticOperator) -> Precedence {
        switch operation {
        case .add, .subtract: .sum
        case .multiply, .divide, .floorDivide, .modulo: .product
        case .power: .power
        }
    }

    private mutating func parseComparison(_ first: any Expression) throws(Failure) -> any Expression {
        var terms: [ComparisonExpression.Term] = []
        while let operation = try comparisonOperator() {
            let offset = try advance().offset
            if operation == .notContained { try advance() }
            terms.append((operation, try parseOperators(.sum), offset))
        }
        return terms.isEmpty ? first : ComparisonExpression(first, terms)
    }

    private mutating func comparisonOperator() throws(Failure) -> ComparisonOperator? {
        switch current.kind {
        case .symbol(let symbol): return ComparisonOperator(rawValue: symbol.rawValue)
        case .name("in"): return .contained
        case .name("not"): return try lookAhead().kind == .name("in") ? .notContained : nil
        default: return nil
        }
    }
}

// MARK: - Operands

extension Parser {
    /// An operand with an optional sign and all its suffixes.
    private mutating func parseUnary() throws(Failure) -> any Expression {
        let (operand, links) = try parseSigned()
        return try Self.chain(operand, links + parseFilterLinks())
    }

    /// An operand with an optional sign, and the attributes, elements and calls after it.
    private mutating func parseSigned() throws(Failure) -> (operand: any Expression, links: [any PostfixLink]) {
        guard at(.subtract) || at(.add) else { return (try parsePrimary(), try parseLinks()) }
        let isNegated = at(.subtract)
        let offset = try advance().offset
        let (operand, links) = try nested { parser throws(Failure) in try parser.parseSigned() }
        let signed = SignExpression(Self.chain(operand, links), isNegated: isNegated, offset: offset)
        return (signed, try parseLinks())
    }

    static func chain(_ operand: any Expression, _ links: [any PostfixLink]) -> any Expression {
        links.isEmpty ? operand : PostfixExpression(operand, links)
    }

    func isNameConstant(_ name: String) -> Bool {
        ["true", "false", "none", "True", "False", "None"].contains(name)
    }

    mutating func parsePrimary() throws(Failure) -> any Expression {
        let offset = current.offset
        switch current.kind {
        case .name(let name):
            try advance()
            return named(name, offset: offset)
        case .string(let text): return try parseStrings(text, offset: offset)
        case .integer(let number):
            try advance()
            return Self.literal(number, offset: offset)
        case .float(let number):
            try advance()
            return LiteralExpression(.float(number), offset: offset)
        case .symbol(.openParenthesis): return try parseParenthesized()
        case .symbol(.openBracket): return try parseList()
        case .symbol(.openBrace): return try parseDict()
        default: throw unexpected(expecting: "an expression")
        }
    }

    private mutating func named(_ name: String, offset: Int) -> any Expression {
        switch name {
        case "true", "True": return LiteralExpression(.bool(true), offset: offset)
        case "false", "False": return LiteralExpression(.bool(false), offset: offset)
        case "none", "None": return LiteralExpression(.none, offset: offset)
        default:
            mention(name)
            let index = index(of: name)
            firstUses.read(index)
            return NameExpression(index, offset: offset)
        }
    }

    private mutating func mention(_ name: String) {
        guard name == "caller" || name == "varargs" || name == "kwargs" else { return }
        for macro in mentionedByMacros.indices { mentionedByMacros[macro].insert(name) }
    }

    /// Adjacent string literals are concatenated.
    private mutating func parseStrings(_ first: String, offset: Int) throws(Failure) -> any Expression {
        var text = first
        try advance()
        while case .string(let more) = current.kind {
            text += more
            try advance()
        }
        return LiteralExpression(.string(text), offset: offset)
    }

    private mutating func parseParenthesized() throws(Failure) -> any Expression {
        let offset = try advance().offset
        let inner = at(.closeParenthesis) ? SequenceExpression([], isTuple: true, offset: offset) : try parseTuple()
        try expect(.closeParenthesis)
        return inner
    }

    /// One expression, or a tuple without parentheses: several expressions separated by commas.
    mutating func parseTuple(
        allowsConditional: Bool = true
    ) throws(Failure) -> any Expression {
        let offset = current.offset
        var items: [any Expression] = []
        var isTuple = false
        while !isAtTupleEnd {
            items.append(try parseExpression(allowsConditional: allowsConditional))
            guard try take(.comma) else { break }
            isTuple = true
        }
        if !isTuple, let only = items.first { return only }
        guard isTuple else { throw unexpected(expecting: "an expression") }
        return SequenceExpression(items, isTuple: true, offset: offset)
    }

    var isAtTupleEnd: Bool {
        switch current.kind {
        case .variableEnd, .blockEnd, .symbol(.closeParenthesis): true
        default: false
        }
    }

    private mutating func parseList() throws(Failure) -> any Expression {
        let offset = try advance().offset
        var items: [any Expression] = []
        while !at(.closeBracket) {
            items.append(try parseExpression())
            guard try take(.comma) else { break }
        }
        try expect(.closeBracket)
        return SequenceExpression(items, isTuple: false, offset: offset)
    }

    private mutating func parseDict() throws(Failure) -> any Expression {
        let offset = try advance().offset
        var pairs: [(key: any Expression, value: any Expression)] = []
        while !at(.closeBrace) {
            let key = try parseExpression()
            try expect(.colon)
            pairs.append((key, try parseExpression()))
            guard try take(.comma) else { break }
        }
        try expect(.closeBrace)
        return DictExpression(pairs, offset: offset)
    }
}
