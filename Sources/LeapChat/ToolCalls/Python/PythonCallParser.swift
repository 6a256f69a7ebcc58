import LeapJSON
import OrderedCollections

/// Reads calls in Python's syntax with literal arguments, as `ast.literal_eval` would read those.
///
///     block     = { text | "[" [ call { "," call } [ "," ] ] "]" } | call { [ "," | ";" ] call } ;
///     call      = name "(" [ argument { "," argument } [ "," ] ] ")" ;
///     argument  = ( name | string ) "=" value | value | "**" dictionary ;
///
/// Text may stand around lists, because models explain themselves; text without any call is an error. Names stand for
/// strings, and `true`, `false` and `null` for `True`, `False` and `None`. Tuples and sets become lists.
struct PythonCallParser {
    private var lexer: PythonLexer
    /// The current token and its offset. There is none before ``advance()``.
    private(set) var token = PythonToken.end
    private(set) var start = 0
    /// The nesting depth of lists and dictionaries.
    private var depth = 0

    /// Reads a block.
    static func calls(in block: String) throws(ToolCallError) -> [ToolCall] {
        let bytes = Array(block.utf8)
        do {
            var parser = PythonCallParser(bytes)
            return try parser.block()
        } catch {
            throw ToolCallError(error.problem, at: error.offset, in: bytes)
        }
    }

    /// Reads a text that is one value.
    static func value(of text: String) throws(ToolCallError) -> JSONValue {
        let bytes = Array(text.utf8)
        do throws(CallFault) {
            var parser = PythonCallParser(bytes)
            try parser.advance()
            let value = try parser.value()
            guard parser.token == .end else { throw parser.unexpected("the end") }
            return value
        } catch {
            throw ToolCallError(error.problem, at: error.offset, in: bytes)
        }
    }

    private init(_ bytes: [UInt8]) {
        lexer = PythonLexer(bytes)
    }
}

// MARK: - Tokens

extension PythonCallParser {
    mutating func advance() throws(CallFault) {
        (token, start) = try lexer.next()
    }

    /// Skips a symbol if it is the current token.
    mutating func take(_ symbol: String) throws(CallFault) -> Bool {
        guard token == .symbol(symbol) else { return false }
        try advance()
        return true
    }

    func unexpected(_ expected: String) -> CallFault {
        CallFault(.unexpected(expected: expected, found: token.quoted), at: start)
    }

    /// Elements separated by commas. The opening bracket is the current token before, the closing one afterwards.
    ///
    /// - Returns: Whether there was a comma.
    @discardableResult
    mutating func list(
        closing: String, _ element: (inout PythonCallParser) throws(CallFault) -> Void
    ) throws(CallFault) -> Bool {
        depth += 1
        guard depth <= ToolCallLimits.depth else { throw CallFault(.tooDeep(ToolCallLimits.depth), at: start) }
        var hasComma = false
        try advance()
        while token != .symbol(closing) {
            try element(&self)
            guard token != .symbol(closing) else { break }
            guard try take(",") else { throw unexpected("',' or '\(closing)'") }
            hasComma = true
        }
        depth -= 1
        return hasComma
    }
}

// MARK: - Blocks

extension PythonCallParser {
    /// What is not in brackets may be text, which has no tokens: so a closing bracket is left as the current token, and
    /// after it the bytes are looked at.
    private mutating func block() throws(CallFault) -> [ToolCall] {
        var calls: [ToolCall] = []
        let isBare = lexer.isAtCall(lexer.position)
        while isBare, lexer.isAtCall(lexer.position) {
            try advance()
            try call(into: &calls)
            try skipSeparators()
        }
        var list = isBare ? lexer.nextList() : lexer.firstList()
        guard isBare || list != nil else { throw try noCall() }
        while let offset = list {
            lexer.position = offset
            try advance()
            try self.list(closing: "]") { parser throws(CallFault) in
                try parser.call(into: &calls)
                try parser.advance()
            }
            try skipSeparators()
            list = lexer.nextList()
        }
        if calls.isEmpty, !lexer.hasOnlyBrackets {
            lexer.position = 0
            throw try noCall()
        }
        return calls
    }

    /// After a call or a list, nothing that would belong to it may follow.
    private mutating func skipSeparators() throws(CallFault) {
        lexer.skipSpacesAndSeparators()
        guard let byte = lexer.peek(), ")]}".utf8.contains(byte) else { return }
        try advance()
        throw unexpected("a call, text, or the end")
    }

    private mutating func noCall() throws(CallFault) -> CallFault {
        try advance()
        return unexpected("a call such as name(argument=\"value\")")
    }
}

// MARK: - Calls

extension PythonCallParser {
    /// A call whose name is the current token; afterwards, its closing bracket is the current token.
    private mutating func call(into calls: inout [ToolCall]) throws(CallFault) {
        guard calls.count < ToolCallLimits.calls else { throw CallFault(.tooManyCalls, at: start) }
        var call = ToolCall(name: try callName())
        guard token == .symbol("(") else { throw unexpected("'(' after the function name") }
        var positions = 0
        try list(closing: ")") { parser throws(CallFault) in try parser.argument(of: &call, &positions) }
        calls.append(call)
    }

    /// A name, which may contain hyphens, because subtraction is not possible here.
    private mutating func callName() throws(CallFault) -> String {
        guard case .name(var name) = token else { throw unexpected("a function name") }
        try advance()
        while try take("-") {
            guard case .name(let part) = token else { throw unexpected("the rest of the function name") }
            name += "-" + part
            try advance()
        }
        return name
    }

    private mutating func argument(of call: inout ToolCall, _ positions: inout Int) throws(CallFault) {
        let offset = start
        if try take("**") {
            guard token == .symbol("{") else { throw unexpected("a dictionary") }
            for (name, value) in try value().object ?? [:] { try set(name, value, of: &call, at: offset) }
        } else if let name = try argumentName() {
            try set(name, value(), of: &call, at: offset)
        } else if case .name(let name) = token {
            try advance()
            guard try take("=") else { return try append(word(name, at: offset), to: &call, &positions, at: offset) }
            try set(name, value(), of: &call, at: offset)
        } else {
            try append(value(), to: &call, &positions, at: offset)
        }
    }

    /// The name of an argument and the equals sign directly after it, which are skipped; `nil` if there are none. Names that
    /// Python does not have are written as they are, or between quotes.
    private mutating func argumentName() throws(CallFault) -> String? {
        if case .string(let name) = token, lexer.isAtEquals(lexer.position) {
            try advance()
            try advance()
            return name
        }
        guard let end = lexer.endOfArgumentName(start) else { return nil }
        let name = String(decoding: lexer.bytes[start..<end], as: UTF8.self)
        lexer.position = end
        try advance()
        try advance()
        return name
    }

    private func set(_ name: String, _ value: JSONValue, of call: inout ToolCall, at offset: Int) throws(CallFault) {
        guard call.arguments.updateValue(value, forKey: name) == nil else {
            throw CallFault(.duplicate(name), at: offset)
        }
    }

    /// An argument without a name.
    private func append(
        _ value: JSONValue, to call: inout ToolCall, _ positions: inout Int, at offset: Int
    ) throws(CallFault) {
        guard positions == call.arguments.count else {
            let expected = "a name and '=', because positional arguments must come first"
            throw CallFault(.unexpected(expected: expected, found: value.text()), at: offset)
        }
        try set(String(positions), value, of: &call, at: offset)
        positions += 1
    }
}
