import OrderedCollections

/// A recursive-descent parser over UTF-8 bytes (RFC 8259).
package struct JSONParser {
    /// Deep enough for any real document, shallow enough for the stack of a secondary thread.
    package static let depthLimit = 200

    private let bytes: [UInt8]
    private let rejectsDuplicateKeys: Bool
    private let rejectsEquivalentKeys: Bool
    private let rejectsLoneSurrogates: Bool
    private let readsNonFiniteNumbers: Bool
    /// The offset of the next byte; after an error, that of the error.
    package private(set) var position = 0
    private var depth = 0

    /// - Parameters:
    ///   - rejectsDuplicateKeys: Whether a duplicate key is an error; if not, its last value is used.
    ///   - rejectsEquivalentKeys: Whether two keys that differ by Unicode's normalisation alone, of which a
    ///     ``JSONValue`` can hold only one, are an error; if not, they count as duplicates.
    ///   - rejectsLoneSurrogates: Whether an escaped lone surrogate is an error; if not, it becomes U+FFFD.
    ///   - readsNonFiniteNumbers: Whether `NaN`, `Infinity` and `-Infinity` are numbers, as Python's `json` writes and
    ///     reads them, although they are not JSON.
    package init(
        bytes: [UInt8], rejectsDuplicateKeys: Bool = false, rejectsEquivalentKeys: Bool = false,
        rejectsLoneSurrogates: Bool = false, readsNonFiniteNumbers: Bool = false
    ) {
        self.bytes = bytes
        self.rejectsDuplicateKeys = rejectsDuplicateKeys
        self.rejectsEquivalentKeys = rejectsEquivalentKeys
        self.rejectsLoneSurrogates = rejectsLoneSurrogates
        self.readsNonFiniteNumbers = readsNonFiniteNumbers
    }

    mutating func parseDocument() throws(JSONError) -> JSONValue {
        if let offset = UTF8Text.firstInvalidOffset(in: bytes) { throw .invalidUTF8(byteOffset: offset) }
        skipWhitespace()
        let value = try parseValue()
        skipWhitespace()
        guard position == bytes.count else { throw unexpected("the end of the text") }
        return value
    }

    /// Parses the next of several documents that follow each other, with whitespace, `,` or `;` between them.
    /// - Returns: The document and where it begins; `nil` at the end of the text. The bytes are taken to be UTF-8.
    package mutating func parseNextDocument() throws(JSONError) -> (value: JSONValue, start: Int)? {
        repeat { skipWhitespace() } while take(",") || take(";")
        guard position < bytes.count else { return nil }
        let start = position
        return (try parseValue(), start)
    }
}

// MARK: - Values

extension JSONParser {
    private mutating func parseValue() throws(JSONError) -> JSONValue {
        switch peek {
        case UInt8(ascii: "{"): try parseObject()
        case UInt8(ascii: "["): try parseArray()
        case UInt8(ascii: "\""): .string(try parseString())
        case UInt8(ascii: "t"): try parseWord("true", .bool(true))
        case UInt8(ascii: "f"): try parseWord("false", .bool(false))
        case UInt8(ascii: "n"): try parseWord("null", .null)
        case UInt8(ascii: "N") where readsNonFiniteNumbers: try parseWord("NaN", .number(.nan))
        case UInt8(ascii: "I") where readsNonFiniteNumbers: try parseWord("Infinity", .number(.infinity))
        case let byte? where byte == UInt8(ascii: "-") || Self.isDigit(byte): try parseNumber()
        default: throw unexpected("a value")
        }
    }

    private mutating func parseObject() throws(JSONError) -> JSONValue {
        var members: OrderedDictionary<String, JSONValue> = [:]
        try forEachMember { parser, key, start throws(JSONError) in
            if parser.rejects(key, after: members) {
                parser.position = start
                let (line, column) = parser.place(of: start)
                throw .duplicateKey(key, line: line, column: column)
            }
            try parser.skipColon()
            members[key] = try parser.parseValue()
        }
        return .object(members)
    }

    private func rejects(_ key: String, after members: OrderedDictionary<String, JSONValue>) -> Bool {
        guard rejectsDuplicateKeys || rejectsEquivalentKeys, let index = members.index(forKey: key) else {
            return false
        }
        return rejectsDuplicateKeys || !UTF8Text.areEqual(members.keys[index], key)
    }

    /// Calls `body` after each key of an object; it reads the colon and the value.
    private mutating func forEachMember(
        _ body: (inout JSONParser, _ key: String, _ start: Int) throws(JSONError) -> Void
    ) throws(JSONError) {
        try enter()
        position += 1
        skipWhitespace()
        if !take("}") {
            repeat {
                skipWhitespace()
                guard peek == UInt8(ascii: "\"") else { throw unexpected("a key in double quotes") }
                let start = position
                let key = try parseString()
                try body(&self, key, start)
                skipWhitespace()
            } while take(",")
            guard take("}") else { throw unexpected("',' or '}'") }
        }
        depth -= 1
    }

    private mutating func skipColon() throws(JSONError) {
        skipWhitespace()
        guard take(":") else { throw unexpected("':'") }
        skipWhitespace()
    }

    /// The members of an object within the document that begins here, in order and as they are spelled: keys that differ by
    /// Unicode's normalisation alone, which are one key of a ``JSONValue``, are two here.
    ///
    /// - Parameter path: The keys that lead to the object.
    /// - Returns: `nil` where there is no object.
    package mutating func members(
        at path: ArraySlice<String>
    ) throws(JSONError) -> [(key: String, value: JSONValue)]? {
        skipWhitespace()
        guard peek == UInt8(ascii: "{") else {
            _ = try parseValue()
            return nil
        }
        var members: [(key: String, value: JSONValue)]? = path.isEmpty ? [] : nil
        try forEachMember { parser, key, _ throws(JSONError) in
            try parser.skipColon()
            if path.isEmpty {
                members?.append((key, try parser.parseValue()))
            } else if key == path.first {
                members = try parser.members(at: path.dropFirst())
            } else {
                _ = try parser.parseValue()
            }
        }
        return members
    }

    private mutating func parseArray() throws(JSONError) -> JSONValue {
        try enter()
        var elements: [JSONValue] = []
        position += 1
        skipWhitespace()
        if !take("]") {
            repeat {
                skipWhitespace()
                elements.append(try parseValue())
                skipWhitespace()
            } while take(",")
            guard take("]") else { throw unexpected("',' or ']'") }
        }
        depth -= 1
        return .array(elements)
    }

    private mutating func parseWord(_ word: StaticString, _ value: JSONValue) throws(JSONError) -> JSONValue {
        let text = word.withUTF8Buffer { Array($0) }
        guard bytes[position...].starts(with: text) else { throw unexpected("a value") }
        position += text.count
        return value
    }

    private mutating func enter() throws(JSONError) {
        depth += 1
        guard depth <= Self.depthLimit else {
            let (line, column) = place(of: position)
            throw .tooDeep(limit: Self.depthLimit, line: line, column: column)
        }
    }
}

// MARK: - Numbers

extension JSONParser {
    private mutating func parseNumber() throws(JSONError) -> JSONValue {
        let start = position
        if take("-"), readsNonFiniteNumbers, peek == UInt8(ascii: "I") {
            return try parseWord("Infinity", .number(-.infinity))
        }
        if !take("0") { try skipDigits() }
        var isInteger = true
        if take(".") {
            isInteger = false
            try skipDigits()
        }
        if take("e") || take("E") {
            isInteger = false
            if !take("+") { _ = take("-") }
            try skipDigits()
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        return isInteger ? .integer(digits: text) : .fraction(text)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
    }

    private mutating func skipDigits() throws(JSONError) {
        let start = position
        while let byte = peek, Self.isDigit(byte) { position += 1 }
        guard position > start else { throw unexpected("a digit") }
    }
}

// MARK: - Strings

extension JSONParser {
    private mutating func parseString() throws(JSONError) -> String {
        position += 1
        var text = ""
        while true {
            let start = position
            while let byte = peek, byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
                position += 1
            }
            text += String(decoding: bytes[start..<position], as: UTF8.self)
            if take("\"") { return text }
            guard let byte = peek else { throw unexpected("'\"' at the end of a string") }
            guard byte == UInt8(ascii: "\\") else {
                throw invalid("a control character inside a string must be escaped")
            }
            text.unicodeScalars.append(try parseEscape())
        }
    }

    private mutating func parseEscape() throws(JSONError) -> Unicode.Scalar {
        position += 1
        guard let byte = peek else { throw unexpected("an escape sequence") }
        position += 1
        switch byte {
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{c}"
        case UInt8(ascii: "u"): return try parseUnicodeEscape()
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        default:
            position -= 1
            throw invalid("'\\\(found ?? "")' is not an escape sequence")
        }
    }

    /// `\uXXXX`, or a surrogate pair of two of them.
    private mutating func parseUnicodeEscape() throws(JSONError) -> Unicode.Scalar {
        let start = position - 2
        let high = try parseFourHexDigits()
        guard 0xD800...0xDBFF ~= high, bytes[position...].starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")]) else {
            if let scalar = Unicode.Scalar(high) { return scalar }
            return try loneSurrogate(at: start)
        }
        let afterHigh = position
        position += 2
        let low = try parseFourHexDigits()
        guard 0xDC00...0xDFFF ~= low else {
            position = afterHigh
            return try loneSurrogate(at: start)
        }
        // Two halves make a scalar from 0x10000 to 0x10FFFF.
        return Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00)) ?? "\u{FFFD}"
    }

    private mutating func loneSurrogate(at start: Int) throws(JSONError) -> Unicode.Scalar {
        guard rejectsLoneSurrogates else { return "\u{FFFD}" }
        let escape = String(decoding: bytes[start..<start + 6], as: UTF8.self)
        position = start
        throw invalid("'\(escape)' is an unpaired surrogate")
    }

    private mutating func parseFourHexDigits() throws(JSONError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = peek.flatMap(UInt8.init(hexadecimal:)) else {
                throw invalid("'\\u' must be followed by four hexadecimal digits")
            }
            value = value << 4 | UInt32(digit)
            position += 1
        }
        return value
    }
}

// MARK: - Characters and places

extension JSONParser {
    private var peek: UInt8? {
        position < bytes.count ? bytes[position] : nil
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func skipWhitespace() {
        while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    /// The character at the position, for messages.
    private var found: String? {
        String(decoding: bytes[position...].prefix(16), as: UTF8.self).first.map(String.init)
    }

    private func unexpected(_ expected: String) -> JSONError {
        let (line, column) = place(of: position)
        return .unexpected(expected: expected, found: found, line: line, column: column)
    }

    private func invalid(_ reason: String) -> JSONError {
        let (line, column) = place(of: position)
        return .invalidString(reason: reason, line: line, column: column)
    }

    private func place(of offset: Int) -> (line: Int, column: Int) {
        UTF8Text.place(of: offset, in: bytes)
    }
}
