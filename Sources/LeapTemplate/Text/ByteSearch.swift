/// Finds one byte string in others in linear time, however repetitive both are (Knuth, Morris, Pratt 1977).
struct ByteSearch {
    private let needle: [UInt8]
    /// For each prefix of the needle, the length of its longest border (the KMP failure function).
    private let borders: [Int]

    /// - Parameter needle: The bytes to search for; not empty.
    init(_ needle: [UInt8]) {
        self.needle = needle
        var borders = [0]
        var length = 0
        for byte in needle.dropFirst() {
            while length > 0, needle[length] != byte { length = borders[length - 1] }
            if needle[length] == byte { length += 1 }
            borders.append(length)
        }
        self.borders = borders
    }

    /// The offset of the first occurrence at or after `start`.
    func first(in text: [UInt8], from start: Int = 0) -> Int? {
        var matched = 0
        var offset = start
        while offset < text.count {
            while matched > 0, needle[matched] != text[offset] { matched = borders[matched - 1] }
            if needle[matched] == text[offset] { matched += 1 }
            offset += 1
            if matched == needle.count { return offset - matched }
        }
        return nil
    }

    /// The offsets of all occurrences that do not overlap, at most `limit` of them.
    func all(in text: [UInt8], limit: Int = .max) -> [Int] {
        var found: [Int] = []
        var start = 0
        while found.count < limit, let offset = first(in: text, from: start) {
            found.append(offset)
            start = offset + needle.count
        }
        return found
    }
}
