/// Facts about the byte sequences of UTF-8 (RFC 3629; The Unicode Standard, table 3-7).
package enum UTF8Sequence {
    /// The length in bytes of the well-formed sequences that begin with `lead`; 1 if no sequence begins with it.
    @inline(__always)
    static func length(lead: UInt8) -> Int {
        switch lead {
        case 0xC2...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xF4: 4
        default: 1
        }
    }

    /// The bytes that occur in well-formed text.
    static let bytes = (UInt8.min...UInt8.max).filter { $0 < 0xC0 || length(lead: $0) > 1 }

    /// The end of the character that contains the byte at `count` in `range` of a well-formed text; at most the range's end.
    static func boundary(of text: [UInt8], in range: Range<Int>, count: Int) -> Int {
        guard count < range.count else { return range.upperBound }
        var end = range.lowerBound + count
        while end < range.upperBound, text[end] & 0xC0 == 0x80 { end += 1 }
        return end
    }

    /// The number of bytes at the end of `bytes` that begin a character whose rest may still come: 0 to 3.
    package static func incompleteSuffix(of bytes: [UInt8]) -> Int {
        for count in 1...3 where count <= bytes.count {
            let tail = bytes[(bytes.count - count)...]
            guard let lead = tail.first, lead & 0xC0 != 0x80 else { continue }
            return count < length(lead: lead) && isBeginning(tail) ? count : 0
        }
        return 0
    }

    /// Whether the second byte of an incomplete character, if there is one, may follow its lead byte.
    ///
    /// Some leads narrow the range, so that overlong forms, surrogates and values above U+10FFFF are errors at once.
    private static func isBeginning(_ tail: ArraySlice<UInt8>) -> Bool {
        guard let lead = tail.first, let second = tail.dropFirst().first else { return true }
        return switch lead {
        case 0xE0: (0xA0...0xBF).contains(second)
        case 0xED: (0x80...0x9F).contains(second)
        case 0xF0: (0x90...0xBF).contains(second)
        case 0xF4: (0x80...0x8F).contains(second)
        default: true
        }
    }
}
