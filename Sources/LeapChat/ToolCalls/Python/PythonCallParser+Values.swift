import LeapJSON
import OrderedCollections

/// Source: The Python Language Reference, 6.2. Atoms; the documentation of `ast.literal_eval`.
extension PythonCallParser {
    /// A value that begins with the current token; the token after it is current afterwards.
    mutating func value() throws(CallFault) -> JSONValue {
        let offset = start
        switch token {
        case .number(let number):
            try advance()
            return number
        case .string(let text): return .string(try joined(text))
        case .name(let name):
            try advance()
            return try word(name, at: offset)
        case .symbol("-"): return try signed { $0.negated }
        case .symbol("+"): return try signed { $0 }
        case .symbol("["): return .array(try elements(closing: "]").values)
        case .symbol("("): return try parenthesised()
        case .symbol("{"): return try braced()
        case .symbol, .end: throw unexpected("a value")
        }
    }

    /// Adjacent strings are concatenated.
    private mutating func joined(_ first: String) throws(CallFault) -> String {
        var text = first
        try advance()
        while case .string(let next) = token {
            text += next
            try advance()
        }
        return text
    }

    private mutating func signed(_ apply: (JSONValue) -> JSONValue?) throws(CallFault) -> JSONValue {
        try advance()
        guard case .number(let number) = token, let value = apply(number) else {
            throw unexpected("a number after the sign")
        }
        try advance()
        return value
    }

    /// The value of a name; the token after it becomes current.
    mutating func word(_ name: String, at offset: Int) throws(CallFault) -> JSONValue {
        if token == .symbol("(") {
            // Python has no literal for it.
            guard name == "set" else { throw CallFault(.notExpressible("a call to '\(name)'"), at: offset) }
            try advance()
            guard try take(")") else { throw unexpected("')'") }
            return []
        }
        switch name {
        case "True", "true": return true
        case "False", "false": return false
        case "None", "null": return nil
        default: return .string(name)
        }
    }

    private mutating func elements(closing: String) throws(CallFault) -> (values: [JSONValue], hasComma: Bool) {
        var values: [JSONValue] = []
        let hasComma = try list(closing: closing) { parser throws(CallFault) in values.append(try parser.value()) }
        try advance()
        return (values, hasComma)
    }

    /// A tuple, or a value in brackets.
    private mutating func parenthesised() throws(CallFault) -> JSONValue {
        let (values, hasComma) = try elements(closing: ")")
        return hasComma || values.isEmpty ? .array(values) : values[0]
    }
}

// MARK: - Dictionaries and sets

extension PythonCallParser {
    private mutating func braced() throws(CallFault) -> JSONValue {
        var members: OrderedDictionary<String, JSONValue> = [:]
        var elements: OrderedSet<JSONValue> = []
        try list(closing: "}") { parser throws(CallFault) in
            let offset = parser.start
            let value = try parser.value()
            let isDictionary = elements.isEmpty && (!members.isEmpty || parser.token == .symbol(":"))
            guard isDictionary else {
                elements.append(value)
                return
            }
            guard try parser.take(":") else { throw parser.unexpected("':' after the key") }
            members[try Self.key(value, at: offset)] = try parser.value()
        }
        try advance()
        return elements.isEmpty ? .object(members) : .array(elements.elements)
    }

    /// A key in JSON, as `json.dumps` writes it.
    private static func key(_ value: JSONValue, at offset: Int) throws(CallFault) -> String {
        switch value {
        case .string(let text): text
        case .array: throw CallFault(.notExpressible("a list as a key"), at: offset)
        case .object: throw CallFault(.notExpressible("a dictionary as a key"), at: offset)
        default: value.text()
        }
    }
}
