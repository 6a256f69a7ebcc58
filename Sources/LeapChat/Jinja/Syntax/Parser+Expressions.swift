/// Expressions, by precedence climbing: operators of one level are collected in a loop, tighter ones by recursion.
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
        var result = try parseOperators(.or)
        while at(word: "if") {
            unknownNames.removeSubrange(unknownBefore...)
            let offset = try advance().offset
            let wasInBranch = isInBranch
            isInBranch = true
            defer { isInBranch = wasInBranch }
            let condition = try parseOperators(.or)
            let alternative = try take(word: "else") ? parseExpression() : nil
            result = ConditionalExpression(condition, result, alternative, offset: offset)
        }
        return result
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
    /// A signed operand with everything that may follow it.
    private mutating func parseUnary() throws(Failure) -> any Expression {
        try parseFilters(after: parseSigned())
    }

    private mutating func parseSigned() throws(Failure) -> any Expression {
        guard at(.subtract) || at(.add) else { return try parsePostfix(after: parsePrimary()) }
        let isNegated = at(.subtract)
        let offset = try advance().offset
        let operand = try nested { parser throws(Failure) in try parser.parseSigned() }
        return try parsePostfix(after: SignExpression(operand, isNegated: isNegated, offset: offset))
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
            return LiteralExpression(number.int.map(Constant.small) ?? .integer(number), offset: offset)
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
            return NameExpression(index(of: name), offset: offset)
        }
    }

    private mutating func mention(_ name: String) {
        guard name == "caller" || name == "varargs" || name == "kwargs" else { return }
        for macro in mentionedByMacros.indices { mentionedByMacros[macro].insert(name) }
    }

    /// Strings that follow one another are one string.
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

    /// One expression, or several with commas between them: a tuple without parentheses.
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

// MARK: - Attributes, elements, calls, filters, tests

extension Parser {
    private mutating func parsePostfix(after base: any Expression) throws(Failure) -> any Expression {
        var result = base
        while case .symbol(let symbol) = current.kind {
            switch symbol {
            case .dot: result = try parseAttribute(of: result)
            case .openBracket: result = try parseSubscript(of: result)
            case .openParenthesis: result = try parseCall(of: result)
            default: return result
            }
        }
        return result
    }

    private mutating func parseFilters(after base: any Expression) throws(Failure) -> any Expression {
        var result = base
        while true {
            if at(.pipe) {
                try advance()
                result = FilterExpression(result, try parseFilter())
            } else if at(word: "is") {
                result = try parseTest(of: result)
            } else if at(.openParenthesis) {
                result = try parseCall(of: result)
            } else {
                return result
            }
        }
    }

    private mutating func parseAttribute(of base: any Expression) throws(Failure) -> any Expression {
        try advance()
        let offset = current.offset
        switch try advance().kind {
        case .name(let name): return AttributeExpression(base, name, offset: offset)
        case .integer(let number):
            let key = LiteralExpression(number.int.map(Constant.small) ?? .integer(number), offset: offset)
            return ItemExpression(base, key, offset: offset)
        default: throw .syntax("expected a name or a number after '.'", at: offset)
        }
    }

    private enum Subscript {
        case key(any Expression)
        case slice(SliceBounds)
    }

    private mutating func parseSubscript(of base: any Expression) throws(Failure) -> any Expression {
        let offset = try advance().offset
        var parts: [Subscript] = []
        while !at(.closeBracket) {
            parts.append(try parseSubscriptPart())
            guard try take(.comma) else { break }
        }
        try expect(.closeBracket)
        if parts.count == 1, case .slice(let bounds) = parts[0] { return SliceExpression(base, bounds, offset: offset) }
        if parts.count == 1, case .key(let key) = parts[0] { return ItemExpression(base, key, offset: offset) }
        var keys: [any Expression] = []
        for part in parts {
            guard case .key(let key) = part else {
                throw .syntax("a slice cannot stand beside other keys", at: offset)
            }
            keys.append(key)
        }
        return ItemExpression(base, SequenceExpression(keys, isTuple: true, offset: offset), offset: offset)
    }

    private mutating func parseSubscriptPart() throws(Failure) -> Subscript {
        var bounds = SliceBounds()
        if !at(.colon) {
            let key = try parseExpression()
            guard at(.colon) else { return .key(key) }
            bounds.start = key
        }
        try advance()
        bounds.stop = try parseSliceBound()
        if try take(.colon) { bounds.step = try parseSliceBound() }
        return .slice(bounds)
    }

    private mutating func parseSliceBound() throws(Failure) -> (any Expression)? {
        at(.colon) || at(.closeBracket) || at(.comma) ? nil : try parseExpression()
    }

    private mutating func parseCall(of callee: any Expression) throws(Failure) -> any Expression {
        let offset = callee.offset
        return CallExpression(callee, try parseArguments(), offset: offset)
    }

    private mutating func parseArguments() throws(Failure) -> ArgumentList {
        let offset = current.offset
        try expect(.openParenthesis)
        var list = ArgumentList()
        while !at(.closeParenthesis) {
            try parseArgument(into: &list, callOffset: offset)
            guard try take(.comma) else { break }
        }
        try expect(.closeParenthesis)
        return list
    }

    private mutating func parseArgument(into list: inout ArgumentList, callOffset: Int) throws(Failure) {
        func ensure(_ isValid: Bool) throws(Failure) {
            if !isValid { throw .syntax("arguments of a call are in a wrong order", at: callOffset) }
        }
        if try take(.multiply) {
            try ensure(list.unpacked == nil && list.unpackedKeywords == nil)
            list.unpacked = try parseExpression()
        } else if try take(.power) {
            try ensure(list.unpackedKeywords == nil)
            list.unpackedKeywords = try parseExpression()
        } else if case .name(let name) = current.kind, try lookAhead().kind == .symbol(.assign) {
            try ensure(list.unpackedKeywords == nil)
            try advance()
            try advance()
            list.keywords.append((name, try parseExpression()))
        } else {
            try ensure(list.unpacked == nil && list.unpackedKeywords == nil && list.keywords.isEmpty)
            list.positional.append(try parseExpression())
        }
    }

    /// What follows the `|` of a filter.
    mutating func parseFilter() throws(Failure) -> Application {
        let offset = current.offset
        let name = try dottedName("the name of a filter")
        let arguments = at(.openParenthesis) ? try parseArguments() : ArgumentList()
        return try apply(.filter, name, arguments, offset: offset)
    }

    private mutating func dottedName(_ what: String) throws(Failure) -> String {
        var name = try expectName(what)
        while try take(.dot) { name += "." + (try expectName(what)) }
        return name
    }

    private mutating func parseTest(of base: any Expression) throws(Failure) -> any Expression {
        try advance()
        let isNegated = try take(word: "not")
        let offset = current.offset
        let name = try dottedName("the name of a test")
        var arguments = ArgumentList()
        if at(.openParenthesis) {
            arguments = try parseArguments()
        } else if try isAtTestArgument() {
            let argument = try nested { parser throws(Failure) in try parser.parsePrimary() }
            arguments.positional = [try parsePostfix(after: argument)]
        }
        let test = try apply(.test, name, arguments, offset: offset)
        return TestExpression(base, test, isNegated: isNegated)
    }

    /// Whether an argument without parentheses follows, as in `x is divisibleby 3`.
    private func isAtTestArgument() throws(Failure) -> Bool {
        switch current.kind {
        case .name("is"): throw .syntax("tests cannot be chained. Put one of them in parentheses", at: current.offset)
        case .name(let name): !["else", "or", "and"].contains(name)
        case .string, .integer, .float, .symbol(.openBracket), .symbol(.openBrace): true
        default: false
        }
    }

    private mutating func apply(
        _ kind: TemplateError.NameKind, _ name: String, _ arguments: ArgumentList, offset: Int
    ) throws(Failure) -> Application {
        let registry = kind == .filter ? FilterRegistry.all : TestRegistry.all
        if let builtin = registry[name] {
            return Application(function: .success(builtin), arguments: arguments, offset: offset)
        }
        let suggestion = Suggestion.closest(to: name, among: registry.keys)
        let failure = Failure(.unknown(kind, name, suggestion: suggestion), at: offset)
        if !isInBranch { unknownNames.append(failure) }
        return Application(function: .failure(failure), arguments: arguments, offset: offset)
    }
}
