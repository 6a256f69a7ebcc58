/// The named character classes of ECMA-262.
enum RegexClasses {
    static let digits = ScalarSet([0x30...0x39])
    static let word = ScalarSet([0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A])
    static let lineEnds = ScalarSet([0xA...0xA, 0xD...0xD, 0x2028...0x2029])
    /// WhiteSpace and LineTerminator of section 12.
    static let space = ScalarSet([
        0x9...0xD, 0x20...0x20, 0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A, 0x2028...0x2029, 0x202F...0x202F,
        0x205F...0x205F, 0x3000...0x3000, 0xFEFF...0xFEFF,
    ])

    static func named(_ letter: Unicode.Scalar) -> ScalarSet? {
        switch letter {
        case "d": digits
        case "D": digits.inverted
        case "w": word
        case "W": word.inverted
        case "s": space
        case "S": space.inverted
        default: nil
        }
    }
}

extension RegexParser {
    /// An escape outside a class; the position is at the backslash.
    mutating func escapedAtom() throws(RegexError) -> Expression {
        let start = position
        position += 1
        guard let letter = peek else {
            throw RegexError(position: start, reason: "expected an escape sequence after '\\', but the pattern ends")
        }
        if letter == "b" || letter == "B" {
            throw RegexError(position: start, reason: "word boundaries cannot be enforced")
        }
        if "1"..."9" ~= letter || letter == "k" {
            throw RegexError(position: start, reason: "backreferences cannot be enforced")
        }
        return .scalars(try escape(start))
    }

    /// `[…]`; the position is at the bracket.
    mutating func characterClass() throws(RegexError) -> ScalarSet {
        let start = position
        position += 1
        let isInverted = take("^")
        // Merged at the end: growing a set member by member would copy it as often as it has members.
        var ranges: [ClosedRange<UInt32>] = []
        while !take("]") {
            guard peek != nil else { throw RegexError(position: start, reason: "'[' is not closed") }
            let rangeStart = position
            let first = try classMember()
            guard peek == "-", position + 1 < scalars.count, scalars[position + 1] != "]" else {
                ranges += first.ranges
                continue
            }
            position += 1
            let last = try classMember()
            guard let low = single(first), let high = single(last) else {
                // `[\w-.]`: next to a class, a hyphen is itself, as in browsers (ECMA-262, section B.1.2.8.1).
                ranges += first.ranges + last.ranges + [Self.hyphen...Self.hyphen]
                continue
            }
            guard low <= high else {
                throw RegexError(position: rangeStart, reason: "invalid range: its ends must be in ascending order")
            }
            ranges.append(low...high)
        }
        let set = ScalarSet(ranges)
        return isInverted ? set.inverted : set
    }

    private static let hyphen: UInt32 = 0x2D

    private func single(_ set: ScalarSet) -> UInt32? {
        guard set.ranges.count == 1, set.ranges[0].count == 1 else { return nil }
        return set.ranges[0].lowerBound
    }

    private mutating func classMember() throws(RegexError) -> ScalarSet {
        guard let scalar = peek else { throw error("the character class is not closed") }
        guard scalar == "\\" else {
            position += 1
            return ScalarSet([scalar.value...scalar.value])
        }
        let start = position
        position += 1
        if take("b") { return ScalarSet([8...8]) }
        return try escape(start)
    }

    /// Parses the letter after a backslash and its operands.
    private mutating func escape(_ start: Int) throws(RegexError) -> ScalarSet {
        guard let letter = peek else {
            throw RegexError(position: start, reason: "expected an escape sequence after '\\', but the pattern ends")
        }
        position += 1
        if let named = RegexClasses.named(letter) { return named }
        if letter == "p" || letter == "P" { return try property(start, isInverted: letter == "P") }
        let value = try escapedValue(letter, start)
        guard !(0xD800...0xDFFF ~= value) else {
            throw RegexError(position: start, reason: "an unpaired surrogate is not a character")
        }
        return ScalarSet([value...value])
    }

    private mutating func escapedValue(_ letter: Unicode.Scalar, _ start: Int) throws(RegexError) -> UInt32 {
        switch letter {
        case "n": return 0xA
        case "r": return 0xD
        case "t": return 0x9
        case "v": return 0xB
        case "f": return 0xC
        case "0":
            guard peek.map(isDigit) != true else {
                throw RegexError(position: start, reason: "octal escapes are not supported")
            }
            return 0
        case "x": return try hexadecimal(2, start)
        case "u": return try unicode(start)
        case "c":
            guard let control = peek, "a"..."z" ~= control || "A"..."Z" ~= control else {
                throw RegexError(position: start, reason: "'\\c' must be followed by a letter")
            }
            position += 1
            return control.value & 31
        default:
            guard !letter.properties.isAlphabetic, !isDigit(letter) else {
                throw RegexError(position: start, reason: "'\\\(letter)' has no meaning in ECMA-262")
            }
            return letter.value
        }
    }

    private mutating func unicode(_ start: Int) throws(RegexError) -> UInt32 {
        if take("{") {
            var value: UInt32 = 0
            while let scalar = peek, scalar.isASCII, let digit = Character(scalar).hexDigitValue, value <= 0x10FFFF {
                value = value << 4 | UInt32(digit)
                position += 1
            }
            guard take("}"), value <= 0x10FFFF else {
                throw RegexError(position: start, reason: "'\\u{' is not closed, or its code point is above 10FFFF")
            }
            return value
        }
        let high = try hexadecimal(4, start)
        guard 0xD800...0xDBFF ~= high, position + 1 < scalars.count, scalars[position] == "\\",
            scalars[position + 1] == "u"
        else { return high }
        position += 2
        let low = try hexadecimal(4, start)
        guard 0xDC00...0xDFFF ~= low else { return high }
        return 0x10000 + (high - 0xD800) << 10 + (low - 0xDC00)
    }

    private mutating func hexadecimal(_ count: Int, _ start: Int) throws(RegexError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<count {
            guard let scalar = peek, scalar.isASCII, let digit = Character(scalar).hexDigitValue else {
                throw RegexError(position: start, reason: "expected \(count) hexadecimal digits")
            }
            value = value << 4 | UInt32(digit)
            position += 1
        }
        return value
    }
}
