/// Python's `str.format`, within the sandbox: fields access attributes and elements like expressions do.
struct BraceFormat {
    private let run: Interpreter
    private let isMarkup: Bool
    private let arguments: [Value]
    private let keywords: (String) -> Value?
    /// The next automatic index; nil once the format has used explicit indices.
    private var automaticIndex: Int? = 0
    private var hasAutomaticFields = false

    init(_ run: Interpreter, isMarkup: Bool, arguments: [Value], keywords: @escaping (String) -> Value?) {
        self.run = run
        self.isMarkup = isMarkup
        self.arguments = arguments
        self.keywords = keywords
    }

    /// - Parameter depth: How deep fields may still nest in the specifications of others.
    mutating func format(_ format: String, depth: Int = 2) throws(Failure) -> String {
        guard depth > 0 else { throw .value("Max string recursion exceeded") }
        try run.budget.touch(format)
        var result = ""
        var rest = format[...].unicodeScalars
        while let scalar = rest.popFirst() {
            switch scalar {
            case "{" where rest.first == "{", "}" where rest.first == "}":
                rest.removeFirst()
                result.unicodeScalars.append(scalar)
            case "{":
                let text = try field(&rest, depth: depth)
                try run.budget.allocate(text)
                result += text
            case "}": throw .value("Single '}' encountered in format string")
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private mutating func field(_ rest: inout Substring.UnicodeScalarView, depth: Int) throws(Failure) -> String {
        var level = 1
        var body = String.UnicodeScalarView()
        while let scalar = rest.popFirst() {
            level += scalar == "{" ? 1 : scalar == "}" ? -1 : 0
            if level == 0 { return try replacement(for: Substring(String(body)).unicodeScalars, depth: depth) }
            body.append(scalar)
        }
        throw .value(body.isEmpty ? "Single '{' encountered in format string" : "expected '}' before end of string")
    }

    /// `name!conversion:specification`.
    private mutating func replacement(for body: Substring.UnicodeScalarView, depth: Int) throws(Failure) -> String {
        var inBrackets = false
        let name = body.prefix { scalar in
            if scalar == "[" { inBrackets = true }
            if scalar == "]" { inBrackets = false }
            return inBrackets || (scalar != "!" && scalar != ":")
        }
        var rest = body[name.endIndex...]
        var value = try lookUp(String(name))
        if rest.first == "!" {
            rest.removeFirst()
            guard let conversion = rest.popFirst() else {
                throw .value("end of string while looking for conversion specifier")
            }
            value = .string(try convert(value, conversion))
            guard rest.first == ":" || rest.isEmpty else { throw .value("expected ':' after conversion specifier") }
        }
        if rest.first == ":" { rest.removeFirst() }
        let specification = try rest.isEmpty ? "" : format(String(rest), depth: depth - 1)
        if isMarkup, case .markup(let text) = value {
            guard specification.isEmpty else { throw .value("Unsupported format specification for Markup.") }
            return text
        }
        let text = try run.format(value, specification)
        return try isMarkup ? run.escaped(text) : text
    }

    private func convert(_ value: Value, _ conversion: Unicode.Scalar) throws(Failure) -> String {
        switch conversion {
        case "s": return try run.text(of: value)
        case "r": return try run.representation(of: value)
        case "a":
            let text = try run.representation(of: value)
            return text.unicodeScalars.map { $0.isASCII ? String($0) : PythonText.escaped($0) }.joined()
        default: throw .value("Unknown conversion specifier '\(conversion)'")
        }
    }

    /// `first.attribute[element]…`
    private mutating func lookUp(_ path: String) throws(Failure) -> Value {
        let scalars = path[...].unicodeScalars
        let first = scalars.prefix { $0 != "." && $0 != "[" }
        var value = try argument(String(first))
        var rest = scalars[first.endIndex...]
        while let mark = rest.popFirst() {
            try run.budget.step()
            if mark == "." {
                let name = rest.prefix { $0 != "." && $0 != "[" }
                rest = rest[name.endIndex...]
                if name.isEmpty { throw .value("Empty attribute in format string") }
                value = try run.attribute(of: value, String(name))
            } else if mark == "[" {
                let key = rest.prefix { $0 != "]" }
                rest = rest[key.endIndex...]
                guard rest.popFirst() != nil else { throw .value("Missing ']' in format string") }
                if key.isEmpty { throw .value("Empty attribute in format string") }
                value = try run.item(of: value, Int(String(key)).map(Value.int) ?? .string(String(key)))
            } else {
                throw .value("Only '.' or '[' may follow ']' in format field specifier")
            }
        }
        return value
    }

    private mutating func argument(_ name: String) throws(Failure) -> Value {
        let index: Int
        if name.isEmpty {
            guard let automatic = automaticIndex else {
                throw .value("cannot switch from manual field specification to automatic field numbering")
            }
            hasAutomaticFields = true
            automaticIndex = automatic + 1
            index = automatic
        } else if let number = Int(name), name.unicodeScalars.allSatisfy(\.isDecimal) {
            if hasAutomaticFields {
                throw .value("cannot switch from manual field specification to automatic field numbering")
            }
            automaticIndex = nil
            index = number
        } else {
            guard let value = keywords(name) else { throw .key(PythonText.quoted(name)) }
            return value
        }
        guard index < arguments.count else {
            throw .index("Replacement index \(index) out of range for positional args tuple")
        }
        return arguments[index]
    }
}
