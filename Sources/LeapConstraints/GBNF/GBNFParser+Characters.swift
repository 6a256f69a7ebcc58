/// Literals, character classes, and whitespace between them.
extension GBNFParser {
    mutating func literal() throws(ConstraintError) -> Expression {
        let start = position
        position += 1
        var parts: [Expression] = []
        while !take("\"") {
            guard peek != nil else { throw error("unterminated string literal", at: start) }
            let value = try character()
            parts.append(.scalars(ScalarSet([value...value])))
        }
        return parts.count == 1 ? parts[0] : .sequence(parts)
    }

    mutating func characterClass() throws(ConstraintError) -> ScalarSet {
        let start = position
        position += 1
        let isInverted = take("^")
        var ranges: [ClosedRange<UInt32>] = []
        while !take("]") {
            guard peek != nil else { throw error("'[' is not closed", at: start) }
            let low = try character()
            var high = low
            if peek == "-", position + 1 < scalars.count, scalars[position + 1] != "]" {
                position += 1
                guard peek != nil else { throw error("'[' is not closed", at: start) }
                high = try character()
            }
            guard low <= high else { throw error("invalid range: its ends must be in ascending order", at: start) }
            ranges.append(low...high)
        }
        let set = ScalarSet(ranges)
        return isInverted ? set.inverted : set
    }

    private mutating func character() throws(ConstraintError) -> UInt32 {
        guard let scalar = peek else { throw error("unexpected end of the grammar") }
        position += 1
        guard scalar == "\\" else { return scalar.value }
        guard let letter = peek else { throw error("expected an escape sequence after '\\', but the grammar ends") }
        position += 1
        switch letter {
        case "n": return 0xA
        case "r": return 0xD
        case "t": return 0x9
        case "\\", "\"", "[", "]", "-", "^", "/", "'": return letter.value
        case "x": return try hexadecimal(2)
        case "u": return try hexadecimal(4)
        case "U": return try hexadecimal(8)
        default: throw error("'\\\(letter)' is not an escape sequence", at: position - 2)
        }
    }

    private mutating func hexadecimal(_ count: Int) throws(ConstraintError) -> UInt32 {
        let start = position
        var value: UInt32 = 0
        for _ in 0..<count {
            guard let scalar = peek, scalar.isASCII, let digit = Character(scalar).hexDigitValue else {
                throw error("expected \(count) hexadecimal digits", at: start)
            }
            value = value << 4 | UInt32(digit)
            position += 1
        }
        guard Unicode.Scalar(value) != nil else { throw error("not a Unicode character", at: start) }
        return value
    }

    var peek: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

    mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard peek == scalar else { return false }
        position += 1
        return true
    }

    /// Skips blanks and comments, and line breaks where they are insignificant.
    mutating func skipSpace(lines: Bool) {
        while let scalar = peek {
            if scalar == "#" {
                while let scalar = peek, scalar != "\n", scalar != "\r" { position += 1 }
            } else if scalar == " " || scalar == "\t" || (lines && (scalar == "\n" || scalar == "\r")) {
                position += 1
            } else {
                return
            }
        }
    }

    func error(_ reason: String, at place: Int? = nil) -> ConstraintError {
        let before = scalars.prefix(place ?? position)
        let line = before.count { $0 == "\n" } + 1
        let column = before.count - (before.lastIndex(of: "\n").map { $0 + 1 } ?? 0) + 1
        return .grammar(line: line, column: column, reason: reason)
    }
}
