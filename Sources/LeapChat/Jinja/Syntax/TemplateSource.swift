/// A template's source as Jinja reads it: line breaks are `\n`, and one at the very end does not count.
struct TemplateSource: Sendable {
    let bytes: [UInt8]

    init(_ text: String) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        var afterReturn = false
        for byte in text.utf8 {
            if byte == UInt8(ascii: "\r") {
                bytes.append(UInt8(ascii: "\n"))
            } else if !(afterReturn && byte == UInt8(ascii: "\n")) {
                bytes.append(byte)
            }
            afterReturn = byte == UInt8(ascii: "\r")
        }
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        self.bytes = bytes
    }

    func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }

    /// The place of the byte at `offset`, with its line and a caret for the reader.
    func location(at offset: Int) -> TemplateLocation {
        let offset = min(offset, bytes.count)
        let (line, column) = UTF8Text.place(of: offset, in: bytes)
        let lineStart = (bytes[..<offset].lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1
        let lineEnd = bytes[offset...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
        let text = Array(text(lineStart..<lineEnd).unicodeScalars)
        return TemplateLocation(line: line, column: column, excerpt: Self.excerpt(of: text, column: column))
    }

    /// Templates are often one line of thousands of characters: shows at most 60 on either side.
    private static func excerpt(of line: [Unicode.Scalar], column: Int) -> String {
        let start = min(line.count, max(0, column - 1 - 60))
        let end = min(line.count, column - 1 + 60)
        let shown = line[start..<max(start, end)].map { $0 == "\t" ? " " : $0 }
        let before = start > 0 ? "…" : ""
        let after = end < line.count ? "…" : ""
        let caret = String(repeating: " ", count: column - 1 - start + before.count) + "^"
        return "  \(before)\(String(shown))\(after)\n  \(caret)"
    }
}
