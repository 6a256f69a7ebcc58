/// Blocks of calls in a complete text.
package enum CallBlocks {
    /// The text between marks.
    ///
    /// - Throws: ``ToolCallError`` for a block without an end.
    package static func blocks(in text: String, _ marks: ToolCallMarks) throws(ToolCallError) -> [String] {
        var blocks: [String] = []
        var rest = text[...]
        while let start = rest.firstRange(of: marks.start) {
            rest = rest[start.upperBound...]
            guard let mark = marks.end else {
                blocks.append(String(rest))
                break
            }
            guard let end = end(of: rest, Array(mark.utf8), marks.strings) else { throw .cutOff(String(rest)) }
            blocks.append(String(rest[..<end]))
            rest = rest[end...].dropFirst(mark.count)
        }
        return blocks
    }

    /// The position of the first mark outside strings; if there is none, of the first mark.
    private static func end(
        of text: Substring, _ mark: [UInt8], _ strings: ToolCallMarks.Strings
    ) -> Substring.Index? {
        var matcher = MarkMatcher([String(decoding: mark, as: UTF8.self)])
        var block = CallBlock(strings)
        var index = text.utf8.startIndex
        while index < text.utf8.endIndex {
            var released: [UInt8] = []
            let found = matcher.append(text.utf8[index], into: &released)
            index = text.utf8.index(after: index)
            block.append(released)
            if let found, block.takesMark(found) { return text.utf8.index(index, offsetBy: -mark.count) }
        }
        return text.firstRange(of: String(decoding: mark, as: UTF8.self))?.lowerBound
    }
}
