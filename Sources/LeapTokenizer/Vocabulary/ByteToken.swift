/// The spelling of tokens that are one raw byte: `<0x00>` … `<0xFF>`.
enum ByteToken {
    /// The text of the token for `byte`.
    static func text(of byte: UInt8) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return "<0x\(digits.count == 1 ? "0" : "")\(digits)>"
    }

    /// The byte that a text spells, or `nil` if it is not a valid spelling: `<0x-1>`, `<0xZZ>`, `<0x0>`.
    static func value(of text: ArraySlice<UInt8>) -> UInt8? {
        guard text.count == 6 else { return nil }
        let text = Array(text)
        guard text.starts(with: "<0x".utf8), text[5] == UInt8(ascii: ">"),
            let high = digit(text[3]), let low = digit(text[4])
        else { return nil }
        return high << 4 | low
    }

    private static func digit(_ character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
