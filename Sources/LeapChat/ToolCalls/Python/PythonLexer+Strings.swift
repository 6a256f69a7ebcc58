import LeapJSON

/// Source: The Python Language Reference, 2.4.1. String and Bytes literals.
///
/// Some things are allowed beyond Python. A line break in a string with single quotes, because models write texts of several
/// lines that way. And a quote inside a string, where nothing follows it that may follow a string: LFM2.5's template puts
/// quotes around texts as they are, `name='Land's End'`, and its model may do the same. Between quotes may also be the name
/// of an argument, `"user-id"="x"`, which Python would not let have a hyphen.
extension PythonLexer {
    /// The meaning of a string's prefix.
    enum StringKind {
        case plain, raw
    }

    /// The letters of a string's prefix at the position; `nil` if no string with a prefix begins here.
    func stringPrefix() -> [UInt8]? {
        for length in 1...2 {
            guard let quote = peek(length), quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\"") else { continue }
            let letters = bytes[position..<position + length].map { $0 | 0x20 }
            return letters.allSatisfy("rbuf".utf8.contains) ? letters : nil
        }
        return nil
    }

    /// A string after its prefix.
    mutating func prefixedString(_ prefix: [UInt8]) throws(CallFault) -> String {
        if prefix.contains(UInt8(ascii: "b")) { throw CallFault(.notExpressible("a bytes literal"), at: position) }
        if prefix.contains(UInt8(ascii: "f")) { throw CallFault(.notExpressible("an f-string"), at: position) }
        position += prefix.count
        return try string(prefix.contains(UInt8(ascii: "r")) ? .raw : .plain)
    }

    /// A string whose opening quote is at the position.
    mutating func string(_ kind: StringKind) throws(CallFault) -> String {
        let start = position
        let quote = bytes[position]
        let isTriple = peek(1) == quote && peek(2) == quote
        position += isTriple ? 3 : 1
        var text = ScalarBuffer()
        while let byte = peek() {
            if byte == quote,
                isTriple ? peek(1) == quote && peek(2) == quote : mayStringEnd(start, before: position + 1)
            {
                position += isTriple ? 3 : 1
                return text.finish()
            }
            guard byte == UInt8(ascii: "\\") else {
                text.append(byte)
                position += 1
                continue
            }
            if kind == .raw { takeRawEscape(into: &text) } else { try takeEscape(into: &text) }
        }
        throw CallFault(.unclosedString, at: start)
    }

    /// Whether a string may end before an offset: what separates values or closes them follows, another string, a comment, or
    /// nothing. Everything else is an error in Python, and one here too where it is an argument after a missing comma. Of two
    /// quotes the second ends a string: Python would have a new one begin there, but nobody writes that.
    private func mayStringEnd(_ start: Int, before offset: Int) -> Bool {
        let next = skippingSpaces(offset)
        guard next < bytes.count else { return true }
        if next == offset, bytes[next] == bytes[offset - 1], isAtClose(next + 1) { return false }
        let lexer = PythonLexer(bytes, from: next)
        if bytes[next] == UInt8(ascii: "\\") { return lexer.peek(1) == UInt8(ascii: "\n") }
        return ",:)]}#'\"".utf8.contains(bytes[next]) || lexer.stringPrefix() != nil || endOfArgumentName(next) != nil
            || bytes[next] == UInt8(ascii: "=") && isQuotedName(start, offset)
    }

    /// Whether a string is the name of an argument: letters and the like, at the beginning of an argument.
    private func isQuotedName(_ start: Int, _ end: Int) -> Bool {
        let name = bytes[start + 1..<end - 1]
        guard let first = name.first, Self.beginsArgumentName(first), name.count <= CallInput.nameLimit,
            name.allSatisfy(Self.isArgumentNamePart)
        else { return false }
        return bytes[..<start].last { !$0.isASCIISpace }.map("(,".utf8.contains) ?? false
    }

    /// Whether there is something that ends a value at an offset, ignoring spaces.
    private func isAtClose(_ offset: Int) -> Bool {
        let next = skippingSpaces(offset)
        return next < bytes.count && ",)]}".utf8.contains(bytes[next])
    }

    /// In a raw string, a backslash is literal, and prevents a following quote from ending the string.
    private mutating func takeRawEscape(into text: inout ScalarBuffer) {
        text.append(bytes[position])
        position += 1
        guard let byte = peek() else { return }
        text.append(byte)
        position += 1
    }
}

// MARK: - Escapes

extension PythonLexer {
    private mutating func takeEscape(into text: inout ScalarBuffer) throws(CallFault) {
        let start = position
        position += 1
        // The string is unterminated at the end of the text.
        guard let byte = peek() else { return }
        position += 1
        switch byte {
        case UInt8(ascii: "\n"): break
        case UInt8(ascii: "\\"), UInt8(ascii: "'"), UInt8(ascii: "\""): text.append(byte)
        case UInt8(ascii: "a"): text.append(0x07)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "v"): text.append(0x0B)
        case UInt8(ascii: "0")...UInt8(ascii: "7"): text.append(code: octal(byte))
        case UInt8(ascii: "x"): text.append(code: try hexadecimal(2, from: start))
        case UInt8(ascii: "u"): text.append(code: try hexadecimal(4, from: start))
        case UInt8(ascii: "U"): text.append(code: try hexadecimal(8, from: start))
        case UInt8(ascii: "N"):
            throw CallFault(
                .badEscape(#"'\N{…}' is not supported, because character names are not looked up"#), at: start)
        default:
            // Python keeps the backslash.
            text.append(UInt8(ascii: "\\"))
            text.append(byte)
        }
    }

    /// Up to three octal digits, of which one was read.
    private mutating func octal(_ first: UInt8) -> UInt32 {
        var code = UInt32(first - UInt8(ascii: "0"))
        for _ in 0..<2 {
            guard let byte = peek(), UInt8(ascii: "0")...UInt8(ascii: "7") ~= byte else { break }
            code = code << 3 | UInt32(byte - UInt8(ascii: "0"))
            position += 1
        }
        return code
    }

    private mutating func hexadecimal(_ count: Int, from start: Int) throws(CallFault) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<count {
            guard let digit = peek().flatMap(UInt8.init(hexadecimal:)) else {
                let escape = String(decoding: bytes[start..<start + 2], as: UTF8.self)
                throw CallFault(.badEscape("'\(escape)' must be followed by \(count) hexadecimal digits"), at: start)
            }
            code = code << 4 | UInt32(digit)
            position += 1
        }
        guard code <= 0x10FFFF else {
            throw CallFault(.badEscape(#"'\U' must be followed by a code point up to 0010ffff"#), at: start)
        }
        return code
    }
}

/// Collects a string's bytes and code points. Two surrogates that belong together become one character, others U+FFFD.
struct ScalarBuffer {
    private var bytes: [UInt8] = []
    private var high: UInt32?

    mutating func append(_ byte: UInt8) {
        flush()
        bytes.append(byte)
    }

    mutating func append(code: UInt32) {
        if let high, 0xDC00...0xDFFF ~= code {
            self.high = nil
            append(Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (code - 0xDC00)))
            return
        }
        flush()
        if 0xD800...0xDBFF ~= code { high = code } else { append(Unicode.Scalar(code)) }
    }

    mutating func finish() -> String {
        flush()
        return String(decoding: bytes, as: UTF8.self)
    }

    private mutating func flush() {
        guard high != nil else { return }
        high = nil
        append(nil as Unicode.Scalar?)
    }

    private mutating func append(_ scalar: Unicode.Scalar?) {
        bytes += UTF8.encode(scalar ?? "\u{FFFD}") ?? UTF8.encodedReplacementCharacter
    }
}
