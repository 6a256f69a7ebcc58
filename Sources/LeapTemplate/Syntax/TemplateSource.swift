import LeapJSON

/// A template's source as Jinja reads it: line breaks are `\n`, and a single one at the very end is dropped.
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

    /// The location of the byte at `offset`: its line, with a caret below the column.
    func location(at offset: Int) -> TemplateLocation {
        let place = TextExcerpt(at: offset, in: bytes)
        return TemplateLocation(line: place.line, column: place.column, excerpt: place.lines)
    }
}
