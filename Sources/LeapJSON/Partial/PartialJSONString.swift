/// The content of a JSON string, read byte by byte.
struct PartialJSONString: Sendable {
    enum Reading {
        case continues
        case ends
        case isMalformed
    }

    private enum Escape {
        case none
        case began
        case hexadecimal(digits: Int, value: UInt32)
    }

    private var content: [UInt8] = []
    private var escape = Escape.none
    /// The first half of a surrogate pair, as long as the second half may follow.
    private var highSurrogate: UInt32?

    /// The text so far, without an incomplete character or escape.
    var text: String {
        var end = content.endIndex
        while end > 0, content.endIndex - end < 3, UTF8Text.isContinuation(content[end - 1]) { end -= 1 }
        guard end > 0 else { return String(decoding: content, as: UTF8.self) }
        let length: Int
        switch content[end - 1] {
        case 0xC0...0xDF: length = 2
        case 0xE0...0xEF: length = 3
        case 0xF0...0xFF: length = 4
        default: length = 1
        }
        let isComplete = content.endIndex - end + 1 >= length
        return String(decoding: content[..<(isComplete ? content.endIndex : end - 1)], as: UTF8.self)
    }

    mutating func read(_ byte: UInt8) -> Reading {
        switch escape {
        case .none: return readPlain(byte)
        case .began: return readEscape(byte)
        case .hexadecimal(let digits, let value):
            guard let digit = UInt8(hexadecimal: byte) else { return .isMalformed }
            let value = value << 4 | UInt32(digit)
            escape = .hexadecimal(digits: digits + 1, value: value)
            if digits == 3 { end(codeUnit: value) }
            return .continues
        }
    }

    private mutating func readPlain(_ byte: UInt8) -> Reading {
        switch byte {
        case UInt8(ascii: "\\"):
            escape = .began
            return .continues
        case 0..<0x20:
            return .isMalformed
        case UInt8(ascii: "\""):
            endSurrogate()
            return .ends
        default:
            endSurrogate()
            content.append(byte)
            return .continues
        }
    }

    private mutating func readEscape(_ byte: UInt8) -> Reading {
        if byte == UInt8(ascii: "u") {
            escape = .hexadecimal(digits: 0, value: 0)
            return .continues
        }
        let character: UInt8
        switch byte {
        case UInt8(ascii: "n"): character = 0x0A
        case UInt8(ascii: "t"): character = 0x09
        case UInt8(ascii: "r"): character = 0x0D
        case UInt8(ascii: "b"): character = 0x08
        case UInt8(ascii: "f"): character = 0x0C
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): character = byte
        default: return .isMalformed
        }
        escape = .none
        endSurrogate()
        content.append(character)
        return .continues
    }

    private mutating func end(codeUnit: UInt32) {
        escape = .none
        switch codeUnit {
        case 0xD800...0xDBFF:
            endSurrogate()
            highSurrogate = codeUnit
        case 0xDC00...0xDFFF:
            let pair = highSurrogate.map { 0x10000 + ($0 - 0xD800) << 10 + (codeUnit - 0xDC00) }
            highSurrogate = nil
            append(pair ?? 0xFFFD)
        default:
            endSurrogate()
            append(codeUnit)
        }
    }

    /// Replaces a lone surrogate by U+FFFD.
    private mutating func endSurrogate() {
        guard highSurrogate != nil else { return }
        highSurrogate = nil
        append(0xFFFD)
    }

    private mutating func append(_ scalar: UInt32) {
        content += Array(String(Unicode.Scalar(scalar) ?? "\u{FFFD}").utf8)
    }
}
