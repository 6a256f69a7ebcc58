/// Strings as Python sees them: sequences of Unicode scalars.
///
/// Swift compares strings by canonical equivalence and counts grapheme clusters; templates were written for neither.
/// Everything here works on UTF-8, whose byte order is the order of the scalars.
enum UTF8Text {
    /// Whether both strings consist of the same scalars.
    static func areEqual(_ left: String, _ right: String) -> Bool {
        left.utf8.count == right.utf8.count && left.utf8.elementsEqual(right.utf8)
    }

    /// Whether `left` comes before `right` in the order of their scalars.
    static func precedes(_ left: String, _ right: String) -> Bool {
        left.utf8.lexicographicallyPrecedes(right.utf8)
    }

    /// The offset of the first byte that is not part of well-formed UTF-8; nil when all are.
    static func firstInvalidOffset(in bytes: [UInt8]) -> Int? {
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

    /// Line and column, both from 1, of the byte at `offset`; columns count scalars.
    static func place(of offset: Int, in bytes: [UInt8]) -> (line: Int, column: Int) {
        let before = bytes.prefix(offset)
        let lineStart = (before.lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1
        let line = before.count { $0 == UInt8(ascii: "\n") } + 1
        return (line, before[lineStart...].count { !isContinuation($0) } + 1)
    }

    static func isContinuation(_ byte: UInt8) -> Bool {
        byte & 0xC0 == 0x80
    }
}

extension String {
    /// Python's `len`: the number of Unicode scalars.
    var scalarCount: Int {
        utf8.withContiguousStorageIfAvailable { bytes in bytes.count { !UTF8Text.isContinuation($0) } }
            ?? unicodeScalars.count
    }

    /// The scalars in the range `bounds`, counted from the start of the string.
    func scalars(in bounds: Range<Int>) -> String {
        guard !bounds.isEmpty else { return "" }
        let start = unicodeScalars.index(startIndex, offsetBy: bounds.lowerBound)
        let end = unicodeScalars.index(start, offsetBy: bounds.count)
        return String(unicodeScalars[start..<end])
    }

    init(_ scalars: some Sequence<Unicode.Scalar>) {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        self.init(view)
    }
}
