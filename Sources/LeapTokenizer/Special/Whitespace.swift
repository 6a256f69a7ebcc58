/// The characters that special tokens swallow, in UTF-8.
struct Whitespace {
    /// Whether they are those of Unicode's property White_Space, instead of ASCII's alone.
    let includesUnicode: Bool

    /// The whitespace outside of ASCII; its last character is U+3000.
    private static let others: [[UInt8]] = (0x80...0x3000 as ClosedRange<UInt32>).compactMap { Unicode.Scalar($0) }
        .filter(\.properties.isWhitespace).map { Array(String($0).utf8) }

    private static func isASCIISpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    /// The place of the space that begins at an offset; `nil` if none does.
    func first(of text: [UInt8], from start: Int) -> Range<Int>? {
        let rest = text[start...]
        guard let byte = rest.first else { return nil }
        if byte < 0x80 || !includesUnicode { return Self.isASCIISpace(byte) ? start..<start + 1 : nil }
        return Self.others.first { rest.starts(with: $0) }.map { start..<start + $0.count }
    }

    /// The place of the space that ends at an offset; `nil` if none does.
    func last(of text: [UInt8], before end: Int) -> Range<Int>? {
        let rest = text[..<end]
        guard let byte = rest.last else { return nil }
        if byte < 0x80 || !includesUnicode { return Self.isASCIISpace(byte) ? end - 1..<end : nil }
        return Self.others.first { rest.suffix($0.count).elementsEqual($0) }.map { end - $0.count..<end }
    }
}
