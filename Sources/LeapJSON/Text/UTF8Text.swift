/// Strings as in JSON and Python: sequences of Unicode scalars.
///
/// Swift compares strings by canonical equivalence and counts grapheme clusters, unlike JSON and Python. Everything
/// here works on UTF-8, whose byte order is the order of the scalars.
package enum UTF8Text {
    /// Whether both strings consist of the same scalars.
    package static func areEqual(_ left: String, _ right: String) -> Bool {
        left.utf8.count == right.utf8.count && left.utf8.elementsEqual(right.utf8)
    }

    /// Whether `left` comes before `right` in the order of their scalars.
    package static func precedes(_ left: String, _ right: String) -> Bool {
        left.utf8.lexicographicallyPrecedes(right.utf8)
    }

    /// The offset of the first byte that is not part of well-formed UTF-8; `nil` when all are.
    package static func firstInvalidOffset(in bytes: [UInt8]) -> Int? {
        var decoder = UTF8.ForwardParser()
        var iterator = bytes.makeIterator()
        var offset = 0
        while true {
            switch decoder.parseScalar(from: &iterator) {
            case .valid(let scalar): offset += scalar.count
            case .emptyInput: return nil
            case .error: return offset
            }
        }
    }

    /// The number of bytes before an incomplete character at the end; all of them if there is none.
    package static func wholeCount(of bytes: [UInt8]) -> Int {
        guard let lead = bytes.suffix(3).lastIndex(where: { !isContinuation($0) }) else { return bytes.count }
        let length = (~bytes[lead]).leadingZeroBitCount
        return length > bytes.count - lead ? lead : bytes.count
    }

    /// Line and column, both from 1, of the byte at `offset`; columns count scalars.
    package static func place(of offset: Int, in bytes: [UInt8]) -> (line: Int, column: Int) {
        let before = bytes.prefix(offset)
        let lineStart = (before.lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1
        let line = before.count { $0 == UInt8(ascii: "\n") } + 1
        return (line, before[lineStart...].count { !isContinuation($0) } + 1)
    }

    package static func isContinuation(_ byte: UInt8) -> Bool {
        byte & 0xC0 == 0x80
    }
}
