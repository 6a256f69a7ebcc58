/// Finding the beginning of calls in text. Every byte is examined a bounded number of times.
extension PythonLexer {
    /// The list that a block begins with, else the first list of calls in it; `nil` if there is none.
    func firstList() -> Int? {
        let first = skippingSpaces(position)
        return first < bytes.count && bytes[first] == UInt8(ascii: "[") ? first : nextList()
    }

    /// The next bracket that begins a list of calls; `nil` if there is none.
    func nextList() -> Int? {
        var offset = position
        while let bracket = bytes[offset...].firstIndex(of: UInt8(ascii: "[")) {
            offset = bracket + 1
            let inside = skippingSpaces(offset)
            let isEmpty = inside < bytes.count && bytes[inside] == UInt8(ascii: "]")
            if isEmpty || isAtCall(inside) { return bracket }
        }
        return nil
    }

    /// Whether the whole block consists of empty lists, without any text.
    var hasOnlyBrackets: Bool { bytes.allSatisfy { $0.isASCIISpace || "[],;".utf8.contains($0) } }

    /// Whether there are a name and an opening bracket at an offset, ignoring spaces.
    func isAtCall(_ offset: Int) -> Bool {
        let start = skippingSpaces(offset)
        guard start < bytes.count, !Self.isDigit(bytes[start]) else { return false }
        return isAtName(start, before: UInt8(ascii: "("))
    }

    /// The end of an argument's name at an offset, if an equals sign follows it, ignoring spaces. Such a name may contain
    /// hyphens and dollar signs: other languages have them, and a value cannot precede an equals sign.
    func endOfArgumentName(_ start: Int) -> Int? {
        guard start < bytes.count, Self.beginsArgumentName(bytes[start]),
            let end = bytes[start...].firstIndex(where: { !Self.isArgumentNamePart($0) }), isAtEquals(end)
        else { return nil }
        return end
    }

    /// Whether there is an equals sign at an offset, ignoring spaces.
    func isAtEquals(_ offset: Int) -> Bool { isAt(UInt8(ascii: "="), offset) }

    /// Whether there is a name at an offset, followed by a symbol, ignoring spaces.
    private func isAtName(_ start: Int, before symbol: UInt8) -> Bool {
        var end = start
        while end < bytes.count, Self.isNamePart(bytes[end]) { end += 1 }
        return end > start && isAt(symbol, end)
    }

    private func isAt(_ symbol: UInt8, _ offset: Int) -> Bool {
        let next = skippingSpaces(offset)
        return next < bytes.count && bytes[next] == symbol
    }

    /// Whether the name of an argument may begin with a byte.
    static func beginsArgumentName(_ byte: UInt8) -> Bool {
        isArgumentNamePart(byte) && !isDigit(byte) && !"-.".utf8.contains(byte)
    }

    /// Whether a byte may belong to the name of an argument.
    static func isArgumentNamePart(_ byte: UInt8) -> Bool { isNamePart(byte) || byte == UInt8(ascii: "$") }

    /// Skips spaces, commas and semicolons.
    mutating func skipSpacesAndSeparators() {
        position = skippingSpaces(position)
        while let byte = peek(), byte == UInt8(ascii: ",") || byte == UInt8(ascii: ";") {
            position = skippingSpaces(position + 1)
        }
    }

    func skippingSpaces(_ offset: Int) -> Int {
        bytes[offset...].firstIndex { !$0.isASCIISpace } ?? bytes.count
    }

    /// Whether a byte may belong to the name of a call, roughly.
    static func isNamePart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
            UInt8(ascii: "."), UInt8(ascii: "-"), 0x80...:
            true
        default: isDigit(byte)
        }
    }
}
