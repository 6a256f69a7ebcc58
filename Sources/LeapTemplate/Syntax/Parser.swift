/// Builds the syntax tree of a template by recursive descent.
struct Parser {
    /// The maximum nesting of parentheses and statements: far beyond real templates, and safe on a small stack.
    static let nestingLimit = 80

    private var lexer: Lexer
    private(set) var current: Token
    private var upcoming: Token?
    /// The location of the previous token.
    private(set) var previousOffset = 0
    private var nesting = 0

    /// Every name that the template mentions.
    private(set) var names: [String] = []
    private var nameIndices: [String: NameIndex] = [:]

    /// Every name and every string in tags.
    var words: Set<String> { lexer.words }

    /// The blocks of the template by name.
    var blocks: [String: BlockStatement] = [:]

    /// Which names the template assigns before it reads them.
    var firstUses = FirstUses()

    /// Open tags, for messages about missing end tags.
    var openTags: [(name: String, offset: Int)] = []
    /// Whether `break` and `continue` are inside a loop.
    var isInLoop = false
    /// In a branch, an unknown filter or test is an error only if it is executed.
    var isInBranch = false
    /// Unknown filters and tests that are certain to be executed.
    var unknownNames: [Failure] = []
    /// Special names in a macro's body, which make the macro accept more arguments. One set per enclosing macro.
    var mentionedByMacros: [Set<String>] = []

    init(_ source: TemplateSource) throws(Failure) {
        lexer = Lexer(source)
        current = try lexer.next()
    }

    mutating func parseTemplate() throws(Failure) -> Body {
        let body = try parseBody(until: [])
        if let failure = unknownNames.first { throw failure }
        return body
    }

    /// The index of `name` in the table of names.
    mutating func index(of name: String) -> NameIndex {
        if let index = nameIndices[name] { return index }
        names.append(name)
        nameIndices[name] = names.count - 1
        return names.count - 1
    }

    /// Runs `parse` one level deeper.
    mutating func nested<Result>(
        _ parse: (inout Parser) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        nesting += 1
        defer { nesting -= 1 }
        guard nesting <= Self.nestingLimit else {
            throw Failure(.limit(.sourceNesting(Self.nestingLimit)), at: current.offset)
        }
        return try parse(&self)
    }
}

// MARK: - Tokens

// None of these is inlined: a token is large, and copies of it in every frame would make recursion costly.
extension Parser {
    /// Returns the current token and advances to the next.
    @discardableResult
    @inline(never)
    mutating func advance() throws(Failure) -> Token {
        let token = current
        previousOffset = token.offset
        if let next = upcoming {
            current = next
            upcoming = nil
        } else {
            current = try lexer.next()
        }
        return token
    }

    /// The token after the current one.
    @inline(never)
    mutating func lookAhead() throws(Failure) -> Token {
        if let upcoming { return upcoming }
        let token = try lexer.next()
        upcoming = token
        return token
    }

    func at(_ symbol: Token.Symbol) -> Bool { current.kind == .symbol(symbol) }
    func at(word: String) -> Bool { current.kind == .name(word) }

    @inline(never)
    mutating func take(_ symbol: Token.Symbol) throws(Failure) -> Bool {
        guard at(symbol) else { return false }
        try advance()
        return true
    }

    @inline(never)
    mutating func take(word: String) throws(Failure) -> Bool {
        guard at(word: word) else { return false }
        try advance()
        return true
    }

    @inline(never)
    mutating func expect(_ symbol: Token.Symbol) throws(Failure) {
        try expect(.symbol(symbol), "'\(symbol.rawValue)'")
    }

    @inline(never)
    mutating func expect(_ kind: Token.Kind, _ name: String) throws(Failure) {
        guard current.kind == kind else { throw unexpected(expecting: name) }
        try advance()
    }

    @inline(never)
    mutating func expectName(_ what: String = "a name") throws(Failure) -> String {
        guard case .name(let name) = current.kind else { throw unexpected(expecting: what) }
        try advance()
        return name
    }

    @inline(never)
    func unexpected(expecting expected: String) -> Failure {
        .syntax("expected \(expected), found \(current)", at: current.offset)
    }
}
