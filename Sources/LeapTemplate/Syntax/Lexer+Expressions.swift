/// Names, literals and operators.
extension Lexer {
    mutating func nextInExpression() throws(Failure) -> Token.Kind {
        let scalar = scalar(at: position)
        if scalar.isASCII, scalar.isDecimal { return try number() }
        if isNameStart(scalar) { return .name(noted(name())) }
        if scalar == "'" || scalar == "\"" { return .string(noted(try string(quote: UInt8(ascii: scalar)))) }
        return .symbol(try symbol())
    }

    private mutating func noted(_ word: String) -> String {
        words.insert(word)
        return word
    }

    private func isNameStart(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "_" || (scalar.isASCII ? scalar.properties.isAlphabetic : scalar.properties.isXIDStart)
    }

    private mutating func name() -> String {
        let start = position
        while position < bytes.count {
            let scalar = scalar(at: position)
            guard isNameStart(scalar) || scalar.properties.isXIDContinue else { break }
            position += UTF8.width(scalar)
        }
        return source.text(start..<position)
    }

    private mutating func symbol() throws(Failure) -> Token.Symbol {
        for length in [2, 1] where position + length <= bytes.count {
            if let symbol = Token.Symbol(rawValue: source.text(position..<position + length)) {
                try balance(bytes[position])
                position += length
                return symbol
            }
        }
        throw .syntax("unexpected character '\(scalar(at: position))'", at: position)
    }

    private mutating func balance(_ byte: UInt8) throws(Failure) {
        switch byte {
        case UInt8(ascii: "("): brackets.append(UInt8(ascii: ")"))
        case UInt8(ascii: "["): brackets.append(UInt8(ascii: "]"))
        case UInt8(ascii: "{"): brackets.append(UInt8(ascii: "}"))
        case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
            let found = Unicode.Scalar(byte)
            guard let expected = brackets.popLast() else { throw .syntax("unexpected '\(found)'", at: position) }
            guard expected == byte else {
                throw .syntax("unexpected '\(found)', expected '\(Unicode.Scalar(expected))'", at: position)
            }
        default: break
        }
    }
}

// MARK: - Numbers

extension Lexer {
    private mutating func number() throws(Failure) -> Token.Kind {
        // After a dot, digits are an index: `x.1.2` is `x[1][2]`.
        let isIndex = position > 0 && bytes[position - 1] == UInt8(ascii: ".")
        if !isIndex, let end = endOfFloat() {
            let text = source.text(position..<end).filter { $0 != "_" }
            position = end
            return .float(Double(text) ?? .infinity)
        }
        if let (radix, end) = endOfPrefixedInteger() { return try integer(position + 2..<end, radix: radix) }
        guard bytes[position] != UInt8(ascii: "0") else {
            return try integer(position..<endOfDigits(from: position) { $0 == UInt8(ascii: "0") }, radix: 10)
        }
        return try integer(position..<endOfDigits(from: position), radix: 10)
    }

    private mutating func integer(_ range: Range<Int>, radix: UInt32) throws(Failure) -> Token.Kind {
        let digits = bytes[range].filter { $0 != UInt8(ascii: "_") }
        guard digits.count <= Budget.integerDigits else {
            throw .syntax("this number has more than \(Budget.integerDigits) digits", at: position)
        }
        let values = digits.map { UInt8(Character(Unicode.Scalar($0)).hexDigitValue ?? 0) }
        position = range.upperBound
        return .integer(BigInteger(digits: values, radix: radix) ?? BigInteger(0))
    }

    /// `0b…`, `0o…` or `0x…`.
    private func endOfPrefixedInteger() -> (radix: UInt32, end: Int)? {
        guard bytes[position] == UInt8(ascii: "0"), let letter = peek(1) else { return nil }
        let radix: Int
        switch letter | 0x20 {
        case UInt8(ascii: "b"): radix = 2
        case UInt8(ascii: "o"): radix = 8
        case UInt8(ascii: "x"): radix = 16
        default: return nil
        }
        let start = position + 2
        // One underscore may separate the prefix from the digits.
        let first = start < bytes.count && bytes[start] == UInt8(ascii: "_") ? start + 1 : start
        let end = endOfDigits(from: first) { (Character(Unicode.Scalar($0)).hexDigitValue ?? 99) < radix }
        return end > first ? (UInt32(radix), end) : nil
    }

    /// Digits with single underscores between them.
    private func endOfDigits(
        from start: Int, where isDigit: (UInt8) -> Bool = { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    ) -> Int {
        var offset = start
        while offset < bytes.count {
            if isDigit(bytes[offset]) {
                offset += 1
            } else if offset > start, bytes[offset] == UInt8(ascii: "_"), offset + 1 < bytes.count,
                isDigit(bytes[offset + 1])
            {
                offset += 2
            } else {
                break
            }
        }
        return offset
    }

    /// A float has a fraction or an exponent.
    private func endOfFloat() -> Int? {
        let whole = endOfDigits(from: position)
        var end = whole
        if end < bytes.count, bytes[end] == UInt8(ascii: ".") {
            let fraction = endOfDigits(from: end + 1)
            if fraction > end + 1 { end = fraction }
        }
        if end < bytes.count, bytes[end] | 0x20 == UInt8(ascii: "e") {
            let hasSign =
                end + 1 < bytes.count && (bytes[end + 1] == UInt8(ascii: "+") || bytes[end + 1] == UInt8(ascii: "-"))
            let digits = end + (hasSign ? 2 : 1)
            let exponent = endOfDigits(from: digits)
            if exponent > digits { end = exponent }
        }
        return end > whole ? end : nil
    }
}

// MARK: - Strings

extension Lexer {
    private mutating func string(quote: UInt8) throws(Failure) -> String {
        let start = position
        var offset = start + 1
        while offset < bytes.count, bytes[offset] != quote {
            offset += bytes[offset] == UInt8(ascii: "\\") ? 2 : 1
        }
        guard offset < bytes.count else { throw .syntax("unterminated string", at: start) }
        position = offset + 1
        let body = bytes[start + 1..<offset]
        guard body.contains(UInt8(ascii: "\\")) else { return String(decoding: body, as: UTF8.self) }
        var escapes = StringEscapes(String(decoding: body, as: UTF8.self), offset: start)
        return try escapes.resolve()
    }
}

/// Resolves the (Python) escape sequences of a string literal.
private struct StringEscapes {
    private var rest: Substring.UnicodeScalarView
    private let offset: Int

    init(_ text: String, offset: Int) {
        rest = text[...].unicodeScalars
        self.offset = offset
    }

    mutating func resolve() throws(Failure) -> String {
        var result = String.UnicodeScalarView()
        while let scalar = rest.popFirst() {
            if scalar == "\\" {
                result.append(contentsOf: try escape().unicodeScalars)
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }

    private mutating func escape() throws(Failure) -> String {
        guard let scalar = rest.popFirst() else { return "\\" }
        switch scalar {
        case "\n": return ""
        case "\\", "'", "\"": return String(scalar)
        case "a": return "\u{7}"
        case "b": return "\u{8}"
        case "f": return "\u{c}"
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "v": return "\u{b}"
        case "x": return try hexadecimal(2, "\\xXX")
        case "u": return try unicode()
        case "U": return try hexadecimal(8, "\\UXXXXXXXX")
        case "N": throw .syntax("'\\N{…}' is not supported in strings. Write the character itself", at: offset)
        case "0"..."7": return octal(first: scalar)
        // Jinja has already turned non-ASCII characters into escapes, whose backslash is consumed by a preceding one.
        case _ where !scalar.isASCII: return PythonText.escaped(scalar)
        default: return "\\" + String(scalar)
        }
    }

    private mutating func octal(first: Unicode.Scalar) -> String {
        var value = first.value - 48
        for _ in 0..<2 {
            guard let digit = rest.first, "0"..."7" ~= digit else { break }
            rest.removeFirst()
            value = value * 8 + digit.value - 48
        }
        return Unicode.Scalar(value).map { String($0) } ?? "\u{FFFD}"
    }

    private mutating func hexadecimal(_ count: Int, _ form: String) throws(Failure) -> String {
        let value = try digits(count, form)
        guard value <= 0x10FFFF else { throw .syntax("illegal Unicode character in a string", at: offset) }
        return Unicode.Scalar(value).map { String($0) } ?? "\u{FFFD}"
    }

    /// `\uXXXX`; a surrogate pair of two such escapes becomes a single character.
    private mutating func unicode() throws(Failure) -> String {
        let high = try digits(4, "\\uXXXX")
        if let scalar = Unicode.Scalar(high) { return String(scalar) }
        let rewind = rest
        if rest.popFirst() == "\\", rest.popFirst() == "u" {
            let low = try digits(4, "\\uXXXX")
            if 0xD800...0xDBFF ~= high, 0xDC00...0xDFFF ~= low {
                return Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00)).map { String($0) } ?? ""
            }
        }
        rest = rewind
        return "\u{FFFD}"
    }

    private mutating func digits(_ count: Int, _ form: String) throws(Failure) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<count {
            guard let scalar = rest.first, scalar.isASCII, let digit = Character(scalar).hexDigitValue else {
                throw .syntax("truncated \(form) escape in a string", at: offset)
            }
            rest.removeFirst()
            value = value << 4 | UInt32(digit)
        }
        return value
    }
}
