import LeapJSON

/// Statements and the text between them.
extension Parser {
    private typealias StatementParser = @Sendable (inout Parser, Int) throws(Failure) -> [any Statement]

    /// A parsing function per statement, called once the statement's name, at the given offset, was read.
    private static let statements: [String: StatementParser] = [
        "if": { parser, offset throws(Failure) in [try parser.parseIf(offset)] },
        "for": { parser, offset throws(Failure) in [try parser.parseFor(offset)] },
        "set": { parser, offset throws(Failure) in [try parser.parseSet(offset)] },
        "with": { parser, offset throws(Failure) in [try parser.parseWith(offset)] },
        "macro": { parser, offset throws(Failure) in [try parser.parseMacro(offset)] },
        "call": { parser, offset throws(Failure) in [try parser.parseCallBlock(offset)] },
        "filter": { parser, offset throws(Failure) in [try parser.parseFilterBlock(offset)] },
        "print": { parser, _ throws(Failure) in try parser.parsePrint() },
        "block": { parser, offset throws(Failure) in [try parser.parseBlock(offset)] },
        "autoescape": { parser, offset throws(Failure) in [try parser.parseAutoescape(offset)] },
        "generation": { parser, offset throws(Failure) in [try parser.parseGeneration(offset)] },
        "break": { parser, offset throws(Failure) in [try parser.parseJump(.exitLoop, offset)] },
        "continue": { parser, offset throws(Failure) in [try parser.parseJump(.nextRound, offset)] },
        "include": { parser, offset throws(Failure) in [try parser.parseLoad("include", offset)] },
        "import": { parser, offset throws(Failure) in [try parser.parseLoad("import", offset)] },
        "from": { parser, offset throws(Failure) in [try parser.parseLoad("from", offset)] },
        "extends": { parser, offset throws(Failure) in [try parser.parseLoad("extends", offset)] },
    ]

    /// Everything up to a statement named by one of `ends`, whose name is then the current token.
    mutating func parseBody(until ends: Set<String>) throws(Failure) -> Body {
        var body: Body = []
        while true {
            let token = current
            switch token.kind {
            case .data(let text):
                try advance()
                body.append(TextStatement(text, offset: token.offset))
            case .variableBegin:
                try advance()
                body.append(OutputStatement(try parseTuple()))
                try expect(.variableEnd, "'}}'")
            case .blockBegin:
                try advance()
                if case .name(let name) = current.kind, ends.contains(name) { return body }
                body += try parseStatement()
                try expect(.blockEnd, "'%}'")
            default:
                guard ends.isEmpty else { throw missingEnd() }
                return body
            }
        }
    }

    private mutating func parseStatement() throws(Failure) -> [any Statement] {
        let offset = current.offset
        let name = try expectName("a statement name")
        guard let parse = Self.statements[name] else { throw unknownStatement(name, offset: offset) }
        openTags.append((name, offset))
        let statements = try nested { parser throws(Failure) in try parse(&parser, offset) }
        openTags.removeLast()
        return statements
    }

    private func unknownStatement(_ name: String, offset: Int) -> Failure {
        if name.hasPrefix("end") || name == "else" || name == "elif" {
            guard let open = openTags.last else {
                return .syntax("'\(name)' has no matching opening tag", at: offset)
            }
            return .syntax("'\(name)' is not allowed here, because '\(open.name)' is still open", at: offset)
        }
        return Failure(
            .unknown(.statement, name, suggestion: Self.statements.keys.closest(to: name)),
            at: offset)
    }

    private func missingEnd() -> Failure {
        guard let open = openTags.last else { return unexpected(expecting: "the end of the template") }
        return .syntax("'\(open.name)' is not closed. Add '{% end\(open.name) %}'", at: open.offset)
    }

    /// A body between the end of the current tag and a tag named by one of `ends`, which is consumed and returned.
    private mutating func parseBlockBody(_ ends: String...) throws(Failure) -> (body: Body, end: String) {
        _ = try take(.colon)
        try expect(.blockEnd, "'%}'")
        let body = try parseBody(until: Set(ends))
        return (body, try expectName())
    }

    /// A body with its own scope, in which unknown filters count as certainly reached.
    private mutating func parseScopedBody(_ end: String) throws(Failure) -> Body {
        try inner { parser throws(Failure) in try parser.parseBlockBody(end).body }
    }

    /// Parses something with its own scope.
    private mutating func inner<Result>(
        _ parse: (inout Parser) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let wasInBranch = isInBranch
        isInBranch = false
        firstUses.level += 1
        defer {
            isInBranch = wasInBranch
            firstUses.level -= 1
        }
        return try parse(&self)
    }
}

// MARK: - Branches and loops

extension Parser {
    private mutating func parseIf(_ offset: Int) throws(Failure) -> any Statement {
        let wasInBranch = isInBranch
        isInBranch = true
        defer { isInBranch = wasInBranch }
        var branches: [(condition: any Expression, body: Body)] = []
        while true {
            let condition = try parseTuple(allowsConditional: false)
            firstUses.branches += 1
            defer { firstUses.branches -= 1 }
            let (body, end) = try parseBlockBody("elif", "else", "endif")
            branches.append((condition, body))
            if end == "elif" { continue }
            let alternative = end == "else" ? try parseBlockBody("endif").body : []
            return IfStatement(branches, alternative: alternative, offset: offset)
        }
    }

    private mutating func parseFor(_ offset: Int) throws(Failure) -> any Statement {
        let wasInLoop = isInLoop
        isInLoop = true
        defer { isInLoop = wasInLoop }
        let target = try parseTarget(allowsAttributes: false)
        guard try take(word: "in") else { throw unexpected(expecting: "'in'") }
        let iterable = try parseTuple(allowsConditional: false)
        return try inner { parser throws(Failure) in
            let filter = try parser.take(word: "if") ? parser.parseExpression() : nil
            let isRecursive = try parser.take(word: "recursive")
            let (body, end) = try parser.parseBlockBody("else", "endfor")
            parser.isInLoop = wasInLoop
            let alternative = end == "else" ? try parser.parseBlockBody("endfor").body : []
            return ForStatement(
                target, in: iterable, where: filter, isRecursive: isRecursive, body: body, alternative: alternative,
                offset: offset)
        }
    }

    private mutating func parseJump(_ flow: Flow, _ offset: Int) throws(Failure) -> any Statement {
        guard isInLoop else { throw .syntax("'break' and 'continue' are allowed only inside a loop", at: offset) }
        return JumpStatement(flow, offset: offset)
    }
}

// MARK: - Assignments

extension Parser {
    private mutating func parseSet(_ offset: Int) throws(Failure) -> any Statement {
        let target = try parseTarget(allowsAttributes: true)
        if try take(.assign) {
            let value = try parseTuple()
            firstUses.assign(target)
            return SetStatement(target, value, offset: offset)
        }
        firstUses.assign(target)
        var filters: [Application] = []
        while try take(.pipe) {
            filters.append(try inner { parser throws(Failure) in try parser.parseFilter() })
        }
        return SetBlockStatement(target, filters, try parseScopedBody("endset"), offset: offset)
    }

    private mutating func parseWith(_ offset: Int) throws(Failure) -> any Statement {
        var assignments: [(target: Target, value: any Expression)] = []
        while current.kind != .blockEnd {
            if !assignments.isEmpty { try expect(.comma) }
            let target = try parseTarget(allowsAttributes: false)
            try expect(.assign)
            assignments.append((target, try parseExpression()))
        }
        return WithStatement(assignments, try parseScopedBody("endwith"), offset: offset)
    }

    /// A name, an attribute of a namespace, or a tuple of these.
    private mutating func parseTarget(allowsAttributes: Bool) throws(Failure) -> Target {
        var targets: [Target] = []
        var isTuple = false
        while !isAtTupleEnd {
            targets.append(try parseSingleTarget(allowsAttributes: allowsAttributes))
            guard try take(.comma) else { break }
            isTuple = true
        }
        if !isTuple, let only = targets.first { return only }
        guard isTuple else { throw unexpected(expecting: "a name to assign to") }
        return .tuple(targets)
    }

    private mutating func parseSingleTarget(allowsAttributes: Bool) throws(Failure) -> Target {
        let offset = current.offset
        if try take(.openParenthesis) {
            let inner = try nested { parser throws(Failure) in
                try parser.parseTarget(allowsAttributes: allowsAttributes)
            }
            try expect(.closeParenthesis)
            return inner
        }
        let name = try expectName("a name to assign to")
        guard !isNameConstant(name) else { throw .syntax("cannot assign to '\(name)'", at: offset) }
        if allowsAttributes, try take(.dot) {
            return .attribute(namespace: index(of: name), try expectName("an attribute name"))
        }
        if name == "loop", isInLoop { throw .syntax("cannot assign to 'loop' inside a loop", at: offset) }
        return .name(index(of: name))
    }
}

// MARK: - Macros

extension Parser {
    private mutating func parseMacro(_ offset: Int) throws(Failure) -> any Statement {
        let name = try parseNewName()
        firstUses.assign(index(of: name))
        guard at(.openParenthesis) else { throw unexpected(expecting: "'('") }
        let definition = try parseDefinition(name: name, end: "endmacro") { _ throws(Failure) in nil }.definition
        return MacroStatement(index(of: name), definition, offset: offset)
    }

    private mutating func parseCallBlock(_ offset: Int) throws(Failure) -> any Statement {
        let (definition, call) = try parseDefinition(name: nil, end: "endcall") { parser throws(Failure) in
            try parser.parseExpression() as? PostfixExpression
        }
        guard let call, let link = call.links.last as? CallLink else {
            throw .syntax("expected a macro call after 'call'", at: offset)
        }
        let callee = PostfixExpression(call.base, call.links.dropLast())
        return CallStatement(callee, link.arguments, definition, offset: link.offset)
    }

    /// Parameters, the rest of the tag after them, and the body.
    private mutating func parseDefinition(
        name: String?, end: String, _ parseHead: (inout Parser) throws(Failure) -> PostfixExpression?
    ) throws(Failure) -> (definition: MacroDefinition, head: PostfixExpression?) {
        let wasInLoop = isInLoop
        defer { isInLoop = wasInLoop }
        let parameters = try inner { parser throws(Failure) in
            parser.at(.openParenthesis) ? try parser.parseParameters() : []
        }
        let head = try parseHead(&self)
        isInLoop = false
        mentionedByMacros.append([])
        let body = try parseScopedBody(end)
        let mentioned = mentionedByMacros.removeLast().subtracting(parameters.map(\.name))
        func special(_ name: String) -> NameIndex? { mentioned.contains(name) ? index(of: name) : nil }
        let definition = MacroDefinition(
            name: name, parameters: parameters, body: body, caller: special("caller"), varargs: special("varargs"),
            kwargs: special("kwargs"))
        return (definition, head)
    }

    private mutating func parseParameters() throws(Failure) -> [MacroDefinition.Parameter] {
        try expect(.openParenthesis)
        var parameters: [MacroDefinition.Parameter] = []
        while !at(.closeParenthesis) {
            if !parameters.isEmpty { try expect(.comma) }
            let offset = current.offset
            let name = try parseNewName()
            let fallback = try take(.assign) ? parseExpression() : nil
            if fallback == nil, parameters.last?.fallback != nil {
                throw .syntax(
                    "parameter '\(name)' must have a default value, because the parameter before it has one", at: offset
                )
            }
            parameters.append((name, index(of: name), fallback))
        }
        try expect(.closeParenthesis)
        return parameters
    }

    private mutating func parseNewName() throws(Failure) -> String {
        let offset = current.offset
        let name = try expectName()
        guard !isNameConstant(name) else { throw .syntax("cannot assign to '\(name)'", at: offset) }
        return name
    }
}

// MARK: - Other blocks

extension Parser {
    private mutating func parseFilterBlock(_ offset: Int) throws(Failure) -> any Statement {
        var filters = [try parseFilter()]
        while try take(.pipe) { filters.append(try parseFilter()) }
        return FilterStatement(filters, try parseScopedBody("endfilter"), offset: offset)
    }

    private mutating func parsePrint() throws(Failure) -> [any Statement] {
        var statements: [any Statement] = []
        while current.kind != .blockEnd {
            if !statements.isEmpty { try expect(.comma) }
            statements.append(OutputStatement(try parseExpression()))
        }
        return statements
    }

    private mutating func parseBlock(_ offset: Int) throws(Failure) -> any Statement {
        let name = try expectName("a block name")
        let isScoped = try take(word: "scoped")
        _ = try take(word: "required")
        let wasInLoop = isInLoop
        isInLoop = false
        defer { isInLoop = wasInLoop }
        let block = BlockStatement(name, isScoped: isScoped, try parseScopedBody("endblock"), offset: offset)
        _ = try take(word: name)
        guard blocks.updateValue(block, forKey: name) == nil else {
            throw .syntax("block '\(name)' is defined twice", at: offset)
        }
        return block
    }

    private mutating func parseAutoescape(_ offset: Int) throws(Failure) -> any Statement {
        let flag = try parseExpression()
        return AutoescapeStatement(flag, try parseScopedBody("endautoescape"), offset: offset)
    }

    private mutating func parseGeneration(_ offset: Int) throws(Failure) -> any Statement {
        let wasInLoop = isInLoop
        isInLoop = false
        defer { isInLoop = wasInLoop }
        return GenerationStatement(try parseScopedBody("endgeneration"), offset: offset)
    }

    /// The rest of the tag is ignored, because the statement always fails.
    private mutating func parseLoad(_ tag: String, _ offset: Int) throws(Failure) -> any Statement {
        while current.kind != .blockEnd, current.kind != .end { try advance() }
        return LoadStatement(tag, offset: offset)
    }
}
