/// Splits Python source into tokens, one at a time.
///
/// Line breaks are ignored, because calls are in brackets. Source: The Python Language Reference, 2. Lexical analysis.
struct PythonLexer {
    let bytes: [UInt8]
    /// The offset at which the next token is searched.
    var position: Int

    init(_ bytes: [UInt8], from position: Int = 0) {
        self.bytes = bytes
        self.position = position
    }

    /// The next token and where it begins.
    mutating func next() throws(CallFault) -> (token: PythonToken, start: Int) {
        skipBlanks()
        let start = position
        guard let byte = peek() else { return (.end, start) }
        switch byte {
        case UInt8(ascii: "'"), UInt8(ascii: "\""): return (.string(try string(.plain)), start)
        case UInt8(ascii: "0")...UInt8(ascii: "9"): return (.number(try number()), start)
        case UInt8(ascii: ".") where peek(1).map(Self.isDigit) == true: return (.number(try number()), start)
        default: break
        }
        if let prefix = stringPrefix() { return (.string(try prefixedString(prefix)), start) }
        if let name = name() { return (.name(name), start) }
        return (.symbol(symbol()), start)
    }
}

// MARK: - Blanks, names and symbols

extension PythonLexer {
    func peek(_ distance: Int = 0) -> UInt8? {
        position + distance < bytes.count ? bytes[position + distance] : nil
    }

    static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

    /// Skips white space, comments, and backslashes at the end of a line.
    private mutating func skipBlanks() {
        while let byte = peek() {
            switch byte {
            case 0x09...0x0D, 0x20: position += 1
            case UInt8(ascii: "#"): position = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
            case UInt8(ascii: "\\") where peek(1) == UInt8(ascii: "\n"): position += 2
            default: return
            }
        }
    }

    /// Names with dots between them, as in `calendar.add`; `nil` if there is none here.
    private mutating func name() -> String? {
        let start = position
        guard skipIdentifier() else { return nil }
        while peek() == UInt8(ascii: ".") {
            position += 1
            guard skipIdentifier() else {
                position -= 1
                break
            }
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func skipIdentifier() -> Bool {
        let start = position
        while let scalar = scalar(), position == start ? PythonName.isStart(scalar) : PythonName.isPart(scalar) {
            position += UTF8.width(scalar)
        }
        return position > start
    }

    /// The scalar at the position. The bytes are well-formed UTF-8.
    private func scalar() -> Unicode.Scalar? {
        guard let byte = peek() else { return nil }
        if byte < 0x80 { return Unicode.Scalar(byte) }
        return String(decoding: bytes[position..<min(position + 4, bytes.count)], as: UTF8.self).unicodeScalars.first
    }

    private mutating func symbol() -> String {
        let isPower = peek() == UInt8(ascii: "*") && peek(1) == UInt8(ascii: "*")
        let width = isPower ? 2 : scalar().map { UTF8.width($0) } ?? 1
        defer { position = min(position + width, bytes.count) }
        return String(decoding: bytes[position..<min(position + width, bytes.count)], as: UTF8.self)
    }
}

/// The syntax of names. Source: The Python Language Reference, 2.3. Identifiers and keywords.
enum PythonName {
    static func isStart(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "_" || (scalar.isASCII ? scalar.properties.isAlphabetic : scalar.properties.isXIDStart)
    }

    static func isPart(_ scalar: Unicode.Scalar) -> Bool {
        isStart(scalar) || scalar.properties.isXIDContinue
    }

    /// Whether a text is one name without dots.
    static func isIdentifier(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first else { return false }
        return isStart(first) && text.unicodeScalars.dropFirst().allSatisfy(isPart)
    }
}
