import LeapJSON

/// Writes values as Python's `str` and `repr` do.
struct Printer {
    let run: Interpreter
    private(set) var text = ""
    /// Mutable objects being printed, which may contain themselves.
    private var open: [ObjectIdentifier] = []

    init(_ run: Interpreter) {
        self.run = run
    }

    mutating func write(_ part: String) throws(Failure) {
        try run.budget.allocate(part)
        text += part
    }

    mutating func represent(_ value: Value) throws(Failure) {
        try run.budget.step(2)
        switch value {
        case .undefined: try write("Undefined")
        case .none: try write("None")
        case .bool(let flag): try write(flag ? "True" : "False")
        case .int(let number): try write(String(number))
        case .bigInt(let number): try write(run.budget.text(of: number))
        case .float(let number): try write(FloatText.shortest(number))
        case .string(let string): try represent(string)
        case .markup(let string):
            try write("Markup(")
            try represent(string)
            try write(")")
        case .list(let list): try represent(list.items, "[", "]")
        case .tuple(let tuple): try represent(tuple.items, "(", tuple.items.count == 1 ? ",)" : ")")
        case .dict(let dict): try represent(dict.entries)
        case .object(let object): try object.represent(&self)
        }
    }

    mutating func represent(_ items: [Value], _ opening: String, _ closing: String) throws(Failure) {
        try write(opening)
        for (index, item) in items.enumerated() {
            if index > 0 { try write(", ") }
            try represent(item)
        }
        try write(closing)
    }

    mutating func represent(_ entries: DictValue.Entries) throws(Failure) {
        try write("{")
        for (index, entry) in entries.enumerated() {
            if index > 0 { try write(", ") }
            try represent(entry.key.value)
            try write(": ")
            try represent(entry.value)
        }
        try write("}")
    }

    private mutating func represent(_ string: String) throws(Failure) {
        try run.budget.touch(string)
        try write(PythonText.quoted(string))
    }

    /// Runs `body`, or writes `{...}` when `object` is already being printed.
    mutating func nested(
        _ object: AnyObject, _ body: (inout Printer) throws(Failure) -> Void
    ) throws(Failure) {
        guard !open.contains(ObjectIdentifier(object)) else { return try write("{...}") }
        guard open.count < Budget.valueNesting else { throw .limit(.valueNesting(Budget.valueNesting)) }
        open.append(ObjectIdentifier(object))
        try body(&self)
        open.removeLast()
    }
}

enum PythonText {
    /// `repr(text)`: in single quotes, unless it contains some and no double ones.
    static func quoted(_ text: String) -> String {
        let quote: Unicode.Scalar =
            text.utf8.contains(UInt8(ascii: "'")) && !text.utf8.contains(UInt8(ascii: "\"")) ? "\"" : "'"
        var result = String.UnicodeScalarView([quote])
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\", quote: result.append(contentsOf: ["\\", scalar])
            case "\n": result.append(contentsOf: "\\n".unicodeScalars)
            case "\r": result.append(contentsOf: "\\r".unicodeScalars)
            case "\t": result.append(contentsOf: "\\t".unicodeScalars)
            case _ where scalar.isPrintable: result.append(scalar)
            default: result.append(contentsOf: escaped(scalar).unicodeScalars)
            }
        }
        result.append(quote)
        return String(result)
    }

    /// `\x1f`, `\u2028` or `\U000e0001`.
    static func escaped(_ scalar: Unicode.Scalar) -> String {
        let (prefix, width) = scalar.value <= 0xFF ? ("\\x", 2) : scalar.value <= 0xFFFF ? ("\\u", 4) : ("\\U", 8)
        let digits = String(scalar.value, radix: 16)
        return prefix + String(repeating: "0", count: width - digits.count) + digits
    }
}

extension Interpreter {
    /// `str(value)`.
    func text(of value: Value) throws(Failure) -> String {
        switch value {
        case .string(let text), .markup(let text): return text
        case .undefined: return ""
        case .int(let number): return String(number)
        default: return try representation(of: value)
        }
    }

    /// `repr(value)`.
    func representation(of value: Value) throws(Failure) -> String {
        var printer = Printer(self)
        try printer.represent(value)
        return printer.text
    }
}
