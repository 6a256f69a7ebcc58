/// Python's `format % values`.
struct PercentFormat {
    private let run: Interpreter
    private let isMarkup: Bool
    private var rest: Substring.UnicodeScalarView
    private let mapping: Value?
    private var arguments: ArraySlice<Value>
    private var result = ""

    /// Formats `format` with a tuple of values, a mapping, or a single value.
    static func format(
        _ format: String, isMarkup: Bool, with value: Value, _ run: Interpreter
    ) throws(Failure) -> Value {
        try run.budget.touch(format)
        var formatter = PercentFormat(run, format, isMarkup: isMarkup, value)
        try formatter.formatAll()
        return try isMarkup ? .markup(formatter.result) : run.budget.string(formatter.result)
    }

    private init(_ run: Interpreter, _ format: String, isMarkup: Bool, _ value: Value) {
        self.run = run
        self.isMarkup = isMarkup
        rest = format[...].unicodeScalars
        if case .tuple(let tuple) = value {
            arguments = tuple.items[...]
            mapping = nil
        } else {
            arguments = [value]
            mapping = Self.isMapping(value) ? value : nil
        }
    }

    /// What Python accepts as a mapping here: anything that can be subscripted.
    private static func isMapping(_ value: Value) -> Bool {
        switch value {
        case .dict, .list, .undefined: true
        default: false
        }
    }

    private mutating func formatAll() throws(Failure) {
        while !rest.isEmpty {
            let literal = rest.prefix { $0 != "%" }
            try append(String(literal))
            rest = rest[literal.endIndex...]
            if rest.popFirst() != nil { try formatOne() }
        }
        if !arguments.isEmpty, mapping == nil {
            throw .type("not all arguments converted during string formatting")
        }
    }

    private mutating func append(_ text: String) throws(Failure) {
        try run.budget.allocate(text)
        result += text
    }

    /// Formats what follows a `%`.
    private mutating func formatOne() throws(Failure) {
        if rest.first == "%" {
            rest.removeFirst()
            return try append("%")
        }
        var named: Value?
        if rest.first == "(" { named = try namedValue() }
        var specification = FormatSpecification()
        parseFlags(&specification)
        if let width = try number() {
            specification.width = abs(width)
            if width < 0 { specification.alignment = "<" }
        }
        if rest.first == "." {
            rest.removeFirst()
            specification.precision = max(0, try number() ?? 0)
        }
        while let modifier = rest.first, "hlL".unicodeScalars.contains(modifier) { rest.removeFirst() }
        guard let conversion = rest.popFirst() else { throw .value("incomplete format") }
        let value: Value
        if let named { value = named } else { value = try nextArgument() }
        try append(convert(value, conversion, specification))
    }

    private mutating func namedValue() throws(Failure) -> Value {
        guard let mapping else { throw .type("format requires a mapping") }
        rest.removeFirst()
        var level = 1
        var name = String.UnicodeScalarView()
        while let scalar = rest.popFirst() {
            level += scalar == "(" ? 1 : scalar == ")" ? -1 : 0
            if level == 0 { return try value(of: String(name), in: mapping) }
            name.append(scalar)
        }
        throw .value("incomplete format key")
    }

    private mutating func value(of name: String, in mapping: Value) throws(Failure) -> Value {
        arguments = []
        guard case .dict(let dict) = mapping else {
            if case .undefined(let undefined) = mapping { throw undefined.failure }
            throw .type("list indices must be integers or slices, not str")
        }
        guard let value = dict[name] else { throw .key(PythonText.quoted(name)) }
        return value
    }

    private mutating func parseFlags(_ specification: inout FormatSpecification) {
        while let flag = rest.first {
            switch flag {
            case "-": specification.alignment = "<"
            case "+": specification.sign = "+"
            case " ": if specification.sign != "+" { specification.sign = " " }
            case "#": specification.isAlternate = true
            case "0": if specification.alignment == nil { (specification.fill, specification.alignment) = ("0", "=") }
            default: return
            }
            if specification.alignment == "<" { specification.fill = " " }
            rest.removeFirst()
        }
    }

    private mutating func number() throws(Failure) -> Int? {
        if rest.first == "*" {
            rest.removeFirst()
            guard case .int(let number) = try nextArgument() else { throw .type("* wants int") }
            return max(-Int(Int32.max), min(number, Int(Int32.max)))
        }
        var value: Int?
        while let digit = rest.first, digit.isASCII, let number = digit.decimalValue {
            rest.removeFirst()
            value = (value ?? 0) * 10 + number
            if let value, value > Int32.max { throw .value("width too big") }
        }
        return value
    }

    private mutating func nextArgument() throws(Failure) -> Value {
        guard let value = arguments.popFirst() else { throw .type("not enough arguments for format string") }
        return value
    }
}

// MARK: - Conversions

extension PercentFormat {
    private func convert(
        _ value: Value, _ conversion: Unicode.Scalar, _ specification: FormatSpecification
    ) throws(Failure) -> String {
        var specification = specification
        switch conversion {
        case "%": return "%"
        case "s", "r", "a":
            specification.sign = "-"
            specification.isAlternate = false
            specification.fill = " "
            specification.alignment = specification.alignment == "<" ? "<" : ">"
            return try specification.apply(toText: text(value, conversion), run.budget)
        case "d", "i", "u", "x", "X", "o":
            specification.type = "xXo".unicodeScalars.contains(conversion) ? conversion : "d"
            return try integer(value, conversion, specification)
        case "e", "E", "f", "F", "g", "G":
            specification.type = conversion
            return try specification.apply(toFloat: float(value), run.budget)
        case "c":
            specification.alignment = specification.alignment == "<" ? "<" : ">"
            specification.fill = " "
            specification.sign = "-"
            return try specification.apply(toText: character(value), run.budget)
        default:
            throw .value("unsupported format character '\(conversion)' (0x\(String(conversion.value, radix: 16)))")
        }
    }

    private func text(_ value: Value, _ conversion: Unicode.Scalar) throws(Failure) -> String {
        var text = try conversion == "s" ? run.text(of: value) : run.representation(of: value)
        if conversion == "a" {
            text = text.unicodeScalars.map { $0.isASCII ? String($0) : PythonText.escaped($0) }.joined()
        }
        guard isMarkup else { return text }
        return try conversion == "s" ? run.escapedText(of: value) : run.escaped(text)
    }

    /// `%5.3d` requests at least three digits in five columns.
    private func integer(
        _ value: Value, _ conversion: Unicode.Scalar, _ specification: FormatSpecification
    ) throws(Failure) -> String {
        var specification = specification
        let number: BigInteger
        switch Number(value) {
        case .int(let small): number = BigInteger(small)
        case .bigInt(let big): number = big
        case .float(let float) where specification.type == "d":
            guard float.isFinite else { throw .overflow("cannot convert float infinity to integer") }
            number = BigInteger(truncating: float)
        default:
            if case .undefined(let undefined) = value, specification.type == "d" { throw undefined.failure }
            let wanted = specification.type == "d" ? "a real number" : "an integer"
            throw .type("%\(conversion) format: \(wanted) is required, not \(value.typeName)")
        }
        guard let digits = specification.precision else {
            return try specification.apply(toInteger: number, run.budget)
        }
        specification.precision = nil
        let padded = try padDigits(number, specification, to: digits)
        var outer = FormatSpecification()
        outer.width = specification.width
        outer.alignment = specification.alignment == "<" ? "<" : ">"
        return try outer.apply(toText: padded, run.budget)
    }

    private func padDigits(
        _ number: BigInteger, _ specification: FormatSpecification, to digits: Int
    ) throws(Failure) -> String {
        var inner = specification
        (inner.fill, inner.alignment) = ("0", "=")
        let hasSign = number.isNegative || inner.sign != "-"
        inner.width = digits + (hasSign ? 1 : 0) + (inner.isAlternate && inner.type != "d" ? 2 : 0)
        return try inner.apply(toInteger: number, run.budget)
    }

    private func float(_ value: Value) throws(Failure) -> Double {
        if case .undefined(let undefined) = value { throw undefined.failure }
        guard let number = Number(value) else { throw .type("must be real number, not \(value.typeName)") }
        return try number.double()
    }

    private func character(_ value: Value) throws(Failure) -> String {
        if let text = value.text, text.scalarCount == 1 { return text }
        guard case .int(let code) = Number(value) else { throw .type("%c requires int or char") }
        guard let scalar = UInt32(exactly: code).flatMap(Unicode.Scalar.init) else {
            throw .overflow("%c arg not in range(0x110000)")
        }
        return String(scalar)
    }
}
