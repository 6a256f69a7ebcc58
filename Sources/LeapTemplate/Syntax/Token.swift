/// A piece of a template's source with the offset where it begins.
struct Token {
    enum Kind: Equatable {
        /// Text outside of all tags.
        case data(String)
        case variableBegin, variableEnd
        case blockBegin, blockEnd
        case name(String)
        case string(String)
        case integer(BigInteger)
        case float(Double)
        case symbol(Symbol)
        case end
    }

    /// Operators and punctuation.
    enum Symbol: String, CaseIterable {
        case floorDivide = "//"
        case power = "**"
        case equal = "=="
        case notEqual = "!="
        case greaterOrEqual = ">="
        case lessOrEqual = "<="
        case add = "+"
        case subtract = "-"
        case divide = "/"
        case multiply = "*"
        case modulo = "%"
        case tilde = "~"
        case openBracket = "["
        case closeBracket = "]"
        case openParenthesis = "("
        case closeParenthesis = ")"
        case openBrace = "{"
        case closeBrace = "}"
        case greater = ">"
        case less = "<"
        case assign = "="
        case dot = "."
        case colon = ":"
        case pipe = "|"
        case comma = ","
        case semicolon = ";"
    }

    let kind: Kind
    let offset: Int
}

extension Token: CustomStringConvertible {
    /// The token in an error message.
    var description: String {
        switch kind {
        case .data: "text"
        case .variableBegin: "'{{'"
        case .variableEnd: "'}}'"
        case .blockBegin: "'{%'"
        case .blockEnd: "'%}'"
        case .name(let name): "'\(name)'"
        case .string: "a string"
        case .integer, .float: "a number"
        case .symbol(let symbol): "'\(symbol.rawValue)'"
        case .end: "the end of the template"
        }
    }
}
