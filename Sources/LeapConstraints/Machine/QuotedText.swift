/// The content of a JSON string while it is read, unquoted and unescaped.
protocol StringContent: Hashable, Sendable {
    associatedtype Context

    /// The content with one more byte of UTF-8; nil if no permitted content begins with it.
    func appending(_ byte: UInt8, _ context: Context) -> Self?

    /// Whether the string may end here.
    func isComplete(_ context: Context) -> Bool

    /// Whether an escape sequence may come next, regardless of the character that it stands for.
    func permitsEscape(_ context: Context) -> Bool

    /// Whether `\/` stands for a slash.
    func permitsEscapedSlash(_ context: Context) -> Bool
}

/// A position inside a JSON string: its content and the escape sequence in progress.
///
/// An escape sequence is followed digit by digit, and no digit is permitted that leads to no permitted character.
/// Escaped surrogates come in pairs. Source: RFC 8259, section 7.
struct QuotedText<Content: StringContent>: Hashable, Sendable {
    var content: Content
    var place = QuotePlace.opening

    enum Step {
        case dead
        case inside(QuotedText)
        /// After the closing quote.
        case closed(Content)
    }

    @inline(__always)
    func step(_ byte: UInt8, _ context: Content.Context) -> Step {
        if case .inside = place, byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
            return go(content.appending(byte, context), .inside)
        }
        return stepSpecial(byte, context)
    }

    private func stepSpecial(_ byte: UInt8, _ context: Content.Context) -> Step {
        switch place {
        case .opening: byte == UInt8(ascii: "\"") ? go(content, .inside) : .dead
        case .inside:
            switch byte {
            case UInt8(ascii: "\""): content.isComplete(context) ? .closed(content) : .dead
            case UInt8(ascii: "\\"):
                content.permitsEscape(context) && permits(0...0x10FFFF, context) ? go(content, .backslash) : .dead
            default: .dead
            }
        case .backslash: stepEscape(byte, context)
        case .unit(let value, let digits): stepUnit(byte, value, digits, context)
        case .secondBackslash(let high):
            byte == UInt8(ascii: "\\") ? go(content, .secondLetter(high)) : .dead
        case .secondLetter(let high):
            byte == UInt8(ascii: "u") ? go(content, .secondUnit(high, value: 0, digits: 0)) : .dead
        case .secondUnit(let high, let value, let digits): stepSecondUnit(byte, high, value, digits, context)
        }
    }

    private func go(_ content: Content?, _ place: QuotePlace) -> Step {
        guard let content else { return .dead }
        return .inside(QuotedText(content: content, place: place))
    }

    private func stepEscape(_ byte: UInt8, _ context: Content.Context) -> Step {
        if byte == UInt8(ascii: "u") {
            return permits(0...0x10FFFF, context) ? go(content, .unit(0, digits: 0)) : .dead
        }
        guard let value = Self.shortEscape(byte) else { return .dead }
        guard byte != UInt8(ascii: "/") || content.permitsEscapedSlash(context) else { return .dead }
        return go(appending(value, context), .inside)
    }

    private static func shortEscape(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "n"): 0xA
        case UInt8(ascii: "t"): 0x9
        case UInt8(ascii: "r"): 0xD
        case UInt8(ascii: "b"): 0x8
        case UInt8(ascii: "f"): 0xC
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): UInt32(byte)
        default: nil
        }
    }

    private func stepUnit(_ byte: UInt8, _ value: UInt32, _ digits: Int, _ context: Content.Context) -> Step {
        guard let digit = Self.hexadecimal(byte) else { return .dead }
        let value = value << 4 | digit
        let free = UInt32(4 * (3 - digits))
        let units = value << free...(value << free | (1 << free - 1))
        guard digits == 3 else {
            return permits(units: units, context) ? go(content, .unit(value, digits: digits + 1)) : .dead
        }
        switch value {
        case 0xD800...0xDBFF: return permits(units: units, context) ? go(content, .secondBackslash(value)) : .dead
        case 0xDC00...0xDFFF: return .dead
        default: return go(appending(value, context), .inside)
        }
    }

    private func stepSecondUnit(
        _ byte: UInt8, _ high: UInt32, _ value: UInt32, _ digits: Int, _ context: Content.Context
    ) -> Step {
        guard let digit = Self.hexadecimal(byte) else { return .dead }
        let value = value << 4 | digit
        let free = UInt32(4 * (3 - digits))
        let units = (value << free...(value << free | (1 << free - 1)))
        guard units.overlaps(0xDC00...0xDFFF) else { return .dead }
        let low = units.clamped(to: 0xDC00...0xDFFF)
        let base = 0x10000 + (high - 0xD800) << 10
        let scalars = (base + low.lowerBound - 0xDC00)...(base + low.upperBound - 0xDC00)
        if digits == 3 { return go(appending(scalars.lowerBound, context), .inside) }
        return permits(scalars, context) ? go(content, .secondUnit(high, value: value, digits: digits + 1)) : .dead
    }

    private static func hexadecimal(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}

/// A thread's position in a JSON string.
enum QuotePlace: Hashable, Sendable {
    /// Before the opening quote.
    case opening
    case inside
    /// After a backslash.
    case backslash
    /// Inside `\uXXXX`: the digits so far.
    case unit(UInt32, digits: Int)
    /// After the first half of a surrogate pair.
    case secondBackslash(UInt32)
    case secondLetter(UInt32)
    case secondUnit(UInt32, value: UInt32, digits: Int)
}

// MARK: - Permitted characters

extension QuotedText {
    private func appending(_ value: UInt32, _ context: Content.Context) -> Content? {
        var content: Content? = content
        for byte in UTF8Ranges.encode(value) { content = content?.appending(byte, context) }
        return content
    }

    /// Whether a code unit in the range can begin a permitted escape sequence.
    private func permits(units: ClosedRange<UInt32>, _ context: Content.Context) -> Bool {
        if permits(units, context) { return true }
        guard units.overlaps(0xD800...0xDBFF) else { return false }
        let high = units.clamped(to: 0xD800...0xDBFF)
        let first = 0x10000 + (high.lowerBound - 0xD800) << 10
        return permits(first...(0x10000 + (high.upperBound - 0xD800) << 10 + 0x3FF), context)
    }

    /// Whether any scalar in the range is permitted next.
    private func permits(_ scalars: ClosedRange<UInt32>, _ context: Content.Context) -> Bool {
        for range in ScalarSet([scalars]).ranges {
            for sequence in UTF8Ranges.sequences(range) where Self.permits(sequence[...], content, context) {
                return true
            }
        }
        return false
    }

    private static func permits(
        _ sequence: ArraySlice<ClosedRange<UInt8>>, _ content: Content, _ context: Content.Context
    ) -> Bool {
        guard let range = sequence.first else { return true }
        for byte in range {
            guard let next = content.appending(byte, context) else { continue }
            if permits(sequence.dropFirst(), next, context) { return true }
        }
        return false
    }
}
