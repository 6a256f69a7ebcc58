/// A place in a text as errors show it: line, column, and the line itself with a caret below the place.
package struct TextExcerpt {
    /// From 1.
    package let line: Int
    /// From 1, in Unicode scalars.
    package let column: Int
    /// The line, or the part of it around the column, and a caret below it.
    package let lines: String

    /// - Parameter offset: Of a byte, or the end of the text.
    package init(at offset: Int, in bytes: [UInt8]) {
        let offset = min(offset, bytes.count)
        (line, column) = UTF8Text.place(of: offset, in: bytes)
        let lineStart = (bytes[..<offset].lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1
        let lineEnd = bytes[offset...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
        lines = Self.lines(around: column, of: String(decoding: bytes[lineStart..<lineEnd], as: UTF8.self))
    }

    /// What machines write is often one line of thousands of characters: shows at most 60 on either side.
    private static func lines(around column: Int, of line: String) -> String {
        let scalars = Array(line.unicodeScalars)
        let start = min(scalars.count, max(0, column - 1 - 60))
        let end = min(scalars.count, column - 1 + 60)
        let shown = String(String.UnicodeScalarView(scalars[start..<max(start, end)].map { $0 == "\t" ? " " : $0 }))
        let before = start > 0 ? "…" : ""
        let after = end < scalars.count ? "…" : ""
        let caret = String(repeating: " ", count: column - 1 - start + before.count) + "^"
        return "  \(before)\(shown)\(after)\n  \(caret)"
    }
}
