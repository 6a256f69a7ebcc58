import LeapJSON
import LeapTemplate

/// Source: The Python Language Reference, 2.4.4. Numeric literals.
extension PythonLexer {
    /// A number that begins at the position.
    mutating func number() throws(CallFault) -> JSONValue {
        let start = position
        while let byte = peek(), Self.continues(byte, after: position > start ? bytes[position - 1] : 0, start, self) {
            position += 1
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        do { return try PythonNumber(text).value() } catch {
            throw CallFault(.badNumber(text, reason: error.description), at: start)
        }
    }

    /// Whether a byte belongs to the number that began at `start`. Letters do, so that `12ab` is one wrong number.
    private static func continues(_ byte: UInt8, after previous: UInt8, _ start: Int, _ lexer: PythonLexer) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"), UInt8(ascii: "."):
            return true
        case UInt8(ascii: "+"), UInt8(ascii: "-"):
            let isHexadecimal = lexer.position > start + 1 && lexer.bytes[start + 1] | 0x20 == UInt8(ascii: "x")
            return previous | 0x20 == UInt8(ascii: "e") && !isHexadecimal
        default: return false
        }
    }
}

/// A numeric literal of Python, without sign.
struct PythonNumber {
    /// The reason why a text is not a number.
    enum Flaw: Error, CustomStringConvertible {
        case digits, leadingZeros, underscores, complex, size

        var description: String {
            switch self {
            case .digits: "digits are missing, or are mixed with other characters"
            case .leadingZeros: "leading zeros are not allowed; octal numbers begin with 0o"
            case .underscores: "underscores are allowed only between two digits"
            case .complex: "complex numbers are not supported in JSON"
            case .size: "it has more than \(ToolCallLimits.digits) digits"
            }
        }
    }

    private let text: String

    init(_ text: String) { self.text = text.lowercased() }

    /// The number in JSON, exactly.
    func value() throws(Flaw) -> JSONValue {
        for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] where text.hasPrefix(prefix) {
            return try integer(digits: digits(of: text.dropFirst(2), allowsLeadingUnderscore: true), radix: radix)
        }
        guard !text.hasSuffix("j") else { throw .complex }
        guard text.utf8.contains(where: { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "e") }) else {
            return try decimal(digits(of: text[...]))
        }
        return try fraction()
    }

    private func decimal(_ digits: String) throws(Flaw) -> JSONValue {
        guard Self.areDecimal(digits), !digits.isEmpty else { throw .digits }
        let significant = digits.drop { $0 == "0" }
        if significant.isEmpty { return .integer(0) }
        guard significant.count == digits.count else { throw .leadingZeros }
        return .integer(digits: digits)
    }

    private func integer(digits: String, radix: Int) throws(Flaw) -> JSONValue {
        let values = digits.utf8.map { UInt8(hexadecimal: $0) ?? .max }
        guard !values.isEmpty, values.allSatisfy({ $0 < radix }) else { throw .digits }
        if let small = Int(digits, radix: radix) { return .integer(small) }
        // The time for the conversion is quadratic in the length.
        guard values.count <= ToolCallLimits.digits, let number = BigInteger(digits: values, radix: UInt32(radix))
        else { throw .size }
        return .integer(digits: number.description)
    }

    private func fraction() throws(Flaw) -> JSONValue {
        let parts = text.split(separator: "e", maxSplits: 1, omittingEmptySubsequences: false)
        let mantissa = parts[0].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let whole = try digits(of: mantissa[0])
        let fraction = mantissa.count > 1 ? try digits(of: mantissa[1]) : ""
        guard !(whole + fraction).isEmpty, Self.areDecimal(whole + fraction) else { throw .digits }
        var json = String(whole.drop { $0 == "0" })
        if json.isEmpty { json = "0" }
        if !fraction.isEmpty { json += "." + fraction }
        if parts.count > 1 { json += "e" + (try exponent(parts[1])) }
        return .fraction(json.contains { $0 == "." || $0 == "e" } ? json : json + ".0")
    }

    private func exponent(_ text: Substring) throws(Flaw) -> String {
        let sign = text.hasPrefix("-") || text.hasPrefix("+") ? text.prefix(1) : ""
        let digits = try digits(of: text.dropFirst(sign.count))
        guard !digits.isEmpty, Self.areDecimal(digits) else { throw .digits }
        return sign + digits
    }

    /// Without underscores.
    private func digits(of text: Substring, allowsLeadingUnderscore: Bool = false) throws(Flaw) -> String {
        guard text.utf8.contains(UInt8(ascii: "_")) else { return String(text) }
        guard !text.hasSuffix("_"), !text.contains("__"), allowsLeadingUnderscore || !text.hasPrefix("_") else {
            throw .underscores
        }
        return text.filter { $0 != "_" }
    }

    private static func areDecimal(_ digits: String) -> Bool {
        digits.utf8.allSatisfy(PythonLexer.isDigit)
    }
}
