import LeapJSON

/// Attributes, elements, calls, filters and tests.
extension Parser {
    /// Attributes, elements and calls.
    mutating func parseLinks() throws(Failure) -> [any PostfixLink] {
        var links: [any PostfixLink] = []
        while case .symbol(let symbol) = current.kind {
            switch symbol {
            case .dot: links.append(try parseAttribute())
            case .openBracket: links.append(try parseSubscript())
            case .openParenthesis: links.append(try parseCall())
            default: return links
            }
        }
        return links
    }

    /// Filters and tests, and calls of their results.
    mutating func parseFilterLinks() throws(Failure) -> [any PostfixLink] {
        var links: [any PostfixLink] = []
        while true {
            if try take(.pipe) {
                links.append(FilterLink(try parseFilter()))
            } else if at(word: "is") {
                links.append(try parseTest())
            } else if at(.openParenthesis) {
                links.append(try parseCall())
            } else {
                return links
            }
        }
    }

    private mutating func parseAttribute() throws(Failure) -> any PostfixLink {
        try advance()
        let offset = current.offset
        switch try advance().kind {
        case .name(let name): return AttributeLink(name, offset: offset)
        case .integer(let number): return ItemLink(Self.literal(number, offset: offset), offset: offset)
        default: throw .syntax("expected a name or a number after '.'", at: offset)
        }
    }

    static func literal(_ number: BigInteger, offset: Int) -> LiteralExpression {
        LiteralExpression(number.int.map(Constant.small) ?? .integer(number), offset: offset)
    }

    private mutating func parseSubscript() throws(Failure) -> any PostfixLink {
        let offset = try advance().offset
        var keys: [any Expression] = []
        var slice: SliceLink?
        var isTuple = false
        while !at(.closeBracket) {
            if at(.colon) {
                slice = try parseSlice(from: nil, offset: offset)
            } else {
                let key = try parseExpression()
                if at(.colon) { slice = try parseSlice(from: key, offset: offset) } else { keys.append(key) }
            }
            guard try take(.comma) else { break }
            isTuple = true
            if at(.closeBracket) { throw unexpected(expecting: "an expression") }
        }
        try expect(.closeBracket)
        if let slice {
            if isTuple { throw .syntax("a slice cannot be combined with other keys", at: offset) }
            return slice
        }
        if keys.count == 1 { return ItemLink(keys[0], offset: offset) }
        return ItemLink(SequenceExpression(keys, isTuple: true, offset: offset), offset: offset)
    }

    private mutating func parseSlice(from start: (any Expression)?, offset: Int) throws(Failure) -> SliceLink {
        try advance()
        let stop = try parseSliceBound()
        let step = try take(.colon) ? parseSliceBound() : nil
        return SliceLink(start: start, stop: stop, step: step, offset: offset)
    }

    private mutating func parseSliceBound() throws(Failure) -> (any Expression)? {
        at(.colon) || at(.closeBracket) || at(.comma) ? nil : try parseExpression()
    }

    private mutating func parseCall() throws(Failure) -> any PostfixLink {
        // The location of the function's name instead of the parenthesis.
        let offset = previousOffset
        return CallLink(try parseArguments(), offset: offset)
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
            if !isValid { throw .syntax("the arguments of this call are in the wrong order", at: callOffset) }
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

    /// A filter after its `|`.
    mutating func parseFilter() throws(Failure) -> Application {
        let offset = current.offset
        let name = try dottedName("a filter name")
        let arguments = at(.openParenthesis) ? try parseArguments() : ArgumentList()
        return try apply(.filter, name, arguments, offset: offset)
    }

    private mutating func dottedName(_ what: String) throws(Failure) -> String {
        var name = try expectName(what)
        while try take(.dot) { name += "." + (try expectName(what)) }
        return name
    }

    private mutating func parseTest() throws(Failure) -> any PostfixLink {
        try advance()
        let isNegated = try take(word: "not")
        let offset = current.offset
        let name = try dottedName("a test name")
        var arguments = ArgumentList()
        if at(.openParenthesis) {
            arguments = try parseArguments()
        } else if try isAtTestArgument() {
            let argument = try nested { parser throws(Failure) in
                Self.chain(try parser.parsePrimary(), try parser.parseLinks())
            }
            arguments.positional = [argument]
        }
        let test = try apply(.test, name, arguments, offset: offset)
        return TestLink(test, isNegated: isNegated)
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
            return Application(.success(builtin), arguments, offset: offset)
        }
        let suggestion = registry.keys.closest(to: name)
        let failure = Failure(.unknown(kind, name, suggestion: suggestion), at: offset)
        if !isInBranch { unknownNames.append(failure) }
        return Application(.failure(failure), arguments, offset: offset)
    }
}
