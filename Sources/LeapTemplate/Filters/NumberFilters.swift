import LeapJSON

/// Filters of numbers.
enum NumberFilters {
    static let all = [
        Builtin("abs", ["_x"]) { run, arguments throws(Failure) in
            switch Number(arguments[0]) {
            case .float(let number): return .float(number.magnitude)
            case .int(let number):
                return try .integer(BigInteger(isNegative: false, magnitude: BigInteger(number).magnitude))
            case .bigInt(let number): return try .integer(BigInteger(isNegative: false, magnitude: number.magnitude))
            case nil: throw .type("bad operand type for abs(): '\(arguments[0].typeName)'")
            }
        },
        Builtin("round", ["value", "precision?", "method?"]) { run, arguments throws(Failure) in
            try round(run, arguments)
        },
        Builtin("filesizeformat", ["value", "binary?"]) { run, arguments throws(Failure) in
            try run.budget.string(fileSize(run.float(of: arguments[0]), isBinary: arguments.flag(1, run)))
        },
    ]

    private static func round(_ run: Interpreter, _ arguments: Arguments) throws(Failure) -> Value {
        let method = arguments.given(2)?.text ?? "common"
        guard ["common", "ceil", "floor"].contains(method) else {
            throw .filterArgument("method must be common, ceil or floor")
        }
        guard let number = Number(arguments[0]) else {
            throw .type("type \(arguments[0].typeName) doesn't define __round__ method")
        }
        let precision = try arguments.present(1) == nil ? 0 : arguments.int(1)
        if method == "common" { return try rounded(number, precision, run) }
        let factor = try run.arithmetic(.power, .int(10), .int(precision))
        let scaled = try run.arithmetic(.multiply, arguments[0], factor)
        guard let scaledNumber = Number(scaled) else { return scaled }
        let whole: Value
        if case .float(let value) = scaledNumber {
            guard value.isFinite else { throw .overflow("cannot convert float infinity to integer") }
            whole = try .integer(BigInteger(truncating: value.rounded(method == "ceil" ? .up : .down)))
        } else {
            whole = scaled
        }
        return try run.arithmetic(.divide, whole, factor)
    }

    /// Python's `round`: the exact decimal value, ties to even.
    private static func rounded(_ number: Number, _ precision: Int, _ run: Interpreter) throws(Failure) -> Value {
        guard case .float(let value) = number else {
            guard let integer = number.bigInteger else { return .none }
            return try precision >= 0 ? .integer(integer) : rounded(integer, toPowerOfTen: precision.magnitude, run)
        }
        // Beyond these limits, rounding changes no digit or leaves none.
        guard value.isFinite, precision < 324 else { return .float(value) }
        guard precision > -310 else { return .float(value.sign == .minus ? -0.0 : 0) }
        try run.budget.digits(places: abs(precision))
        let decimal = DecimalText(value)
        let text = precision >= 0 ? decimal.fixed(places: precision) : decimal.whole(roundedTo: -precision)
        return .float((Double(text) ?? .infinity) * (value.sign == .minus ? -1 : 1))
    }

    private static func rounded(
        _ number: BigInteger, toPowerOfTen power: UInt, _ run: Interpreter
    ) throws(Failure) -> Value {
        guard power <= Budget.integerDigits else { return .int(0) }
        let unit = try run.arithmetic(.power, .int(10), .int(Int(power)))
        guard let unit = Number(unit)?.bigInteger else { return .int(0) }
        try run.budget.work(number, unit)
        let (quotient, remainder) = number.flooredDivision(by: unit)
        let twice = remainder.shiftedLeft(by: 1)
        let isOdd = (quotient.magnitude.first ?? 0) & 1 == 1
        let roundsUp = twice > unit || (twice == unit && isOdd)
        return try .integer((roundsUp ? quotient + BigInteger(1) : quotient) * unit)
    }

    private static func fileSize(_ bytes: Double, isBinary: Bool) -> String {
        let base: Double = isBinary ? 1024 : 1000
        if bytes == 1 { return "1 Byte" }
        if bytes < base, bytes.isFinite { return "\(BigInteger(truncating: bytes)) Bytes" }
        var unit = base
        let prefixes = ["k", "M", "G", "T", "P", "E", "Z", "Y"]
        for (index, prefix) in prefixes.enumerated() {
            unit *= base
            if bytes < unit || index == prefixes.count - 1 {
                let scaled = base * bytes / unit
                let number = scaled.isFinite ? DecimalText(scaled).fixed(places: 1) : FloatText.nonFinite(scaled)
                return "\(number) \(isBinary ? prefix.uppercased() + "i" : prefix)B"
            }
        }
        return ""
    }
}

extension Interpreter {
    /// `float(value)`, also of text.
    func float(of value: Value) throws(Failure) -> Double {
        if case .undefined(let undefined) = value { throw undefined.failure }
        if let number = Number(value) { return try number.double() }
        guard let text = value.text else {
            throw .type("float() argument must be a string or a real number, not '\(value.typeName)'")
        }
        try budget.touch(text)
        guard let number = NumberText.float(text) else {
            throw .value("could not convert string to float: \(PythonText.quoted(text))")
        }
        return number
    }
}

/// Numbers written as text, as Python's `int` and `float` read them.
enum NumberText {
    static func float(_ text: String) -> Double? {
        guard let digits = plain(text) else { return nil }
        let unsigned = digits.drop { $0 == "+" || $0 == "-" }.lowercased()
        if ["inf", "infinity", "nan"].contains(unsigned) {
            let magnitude = unsigned == "nan" ? Double.nan : .infinity
            return digits.hasPrefix("-") ? -magnitude : magnitude
        }
        // Swift reads hexadecimal floats too, Python does not.
        guard unsigned.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || ".e+-".utf8.contains($0) }),
            unsigned.utf8.contains(where: { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
        else { return nil }
        let complete = digits.hasSuffix(".") ? digits + "0" : digits
        let normal = complete.replacing("+.", with: "+0.", limit: 1).replacing("-.", with: "-0.", limit: 1)
            .replacing(".e", with: ".0e", limit: 1).replacing(".E", with: ".0E", limit: 1)
        return Double(normal.hasPrefix(".") ? "0" + normal : normal)
    }

    /// - Returns: nil if `text` is not an integer in `base`; base 0 takes the base from the prefix.
    static func integer(_ text: String, base: Int) -> BigInteger? {
        guard var digits = plain(text)?.lowercased(), let radix = UInt32(exactly: base) else { return nil }
        let isNegative = digits.hasPrefix("-")
        if isNegative || digits.hasPrefix("+") { digits.removeFirst() }
        var effective = radix
        for (prefix, prefixRadix) in [("0x", UInt32(16)), ("0o", 8), ("0b", 2)]
        where digits.hasPrefix(prefix) && (radix == prefixRadix || radix == 0) {
            digits.removeFirst(2)
            effective = prefixRadix
        }
        if effective == 0 {
            guard !digits.hasPrefix("0") || digits.allSatisfy({ $0 == "0" }) else { return nil }
            effective = 10
        }
        guard !digits.isEmpty, digits.utf8.count <= Budget.integerDigits else { return nil }
        let values = digits.utf8.map { byte in
            byte >= UInt8(ascii: "a") ? byte &- UInt8(ascii: "a") &+ 10 : byte &- UInt8(ascii: "0")
        }
        return BigInteger(digits: values, radix: effective).map { isNegative ? -$0 : $0 }
    }

    /// Without surrounding whitespace and single underscores between digits, and with ASCII digits; nil if misplaced.
    private static func plain(_ text: String) -> String? {
        var result = ""
        var previous: Unicode.Scalar = "_"
        let scalars = text.stripped(of: nil).unicodeScalars
        for scalar in scalars {
            if scalar == "_" {
                guard previous.isAlphanumeric else { return nil }
            } else if let digit = scalar.decimalValue {
                result += String(digit)
            } else {
                guard scalar.isASCII, previous != "_" || result.isEmpty else { return nil }
                result.unicodeScalars.append(scalar)
            }
            previous = scalar
        }
        return previous == "_" ? nil : result
    }
}
