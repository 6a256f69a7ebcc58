/// What stands in the texts of messages while a template makes a prompt of them: noncharacters, which Unicode leaves to
/// programs for their own use, and which belong to no text that is exchanged.
///
/// The raw value is the last byte of the mark in UTF-8.
///
/// Source: The Unicode Standard, section 23.7.
enum InputMark: UInt8, CaseIterable {
    /// U+FDD0: no control token may span this position.
    case cut = 0x90
    /// U+FDD1: the following mark is literal; it was part of the text.
    case literal = 0x91
    /// U+FDD2: the position of media that the template does not write.
    case place = 0x92

    /// The mark in UTF-8.
    var bytes: [UInt8] { [Self.lead, 0xB7, rawValue] }

    /// The first byte of every mark in UTF-8.
    static let lead: UInt8 = 0xEF

    /// The mark as Python's `repr` writes it, and JSON without characters beyond ASCII.
    var escape: String { "\\ufdd" + String(rawValue & 0xF, radix: 16) }

    /// Each mark as it may be written.
    private static let spellings: [(mark: InputMark, bytes: [UInt8])] = allCases.flatMap { mark in
        [(mark, mark.bytes), (mark, Array(mark.escape.utf8))]
    }

    /// The mark at a position, and its length in bytes.
    static func find(in bytes: [UInt8], at start: Int) -> (mark: InputMark, length: Int)? {
        guard start < bytes.count, bytes[start] == lead || bytes[start] == UInt8(ascii: "\\") else { return nil }
        return spellings.first { bytes[start...].starts(with: $0.bytes) }.map { ($0.mark, $0.bytes.count) }
    }
}
