/// A location in a text for errors: line, column, and the line itself with a caret below the location.
package struct TextExcerpt {
    /// The line, counted from 1.
    package let line: Int
    /// The column, counted from 1 in Unicode scalars.
    package let column: Int
    /// The line, or its part around the column, and a caret below it.
    package let lines: String

    /// - Parameter offset: The offset of a byte, or of the end of the text.
    package init(at offset: Int, in bytes: [UInt8]) {
        let offset = min(offset, bytes.count)
        (line, column) = UTF8Text.place(of: offset, in: bytes)
        let lineStart = (bytes[..<offset].lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1
        let lineEnd = bytes[offset...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
        lines = Self.lines(around: column, of: String(decoding: bytes[lineStart..<lineEnd], as: UTF8.self))
    }

    /// Generated text is often a single line of thousands of characters, so at most 60 on either side are shown.
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
