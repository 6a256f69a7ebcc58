/// The strings of a metadata array, decoded individually on access.
///
/// A vocabulary has 10⁵ strings, of which most callers need few, so nothing is decoded in advance. Opening the file
/// records the start of each string (4 bytes per string), so that access takes constant time.
public struct GGUFStrings: Sendable, RandomAccessCollection {
    private let file: FileBytes
    /// Where the first string's length field stands.
    private let start: Int
    /// Offsets of the length fields from `start`, and the offset after the last string.
    private let offsets: [UInt32]

    init(file: FileBytes, start: Int, offsets: [UInt32]) {
        self.file = file
        self.start = start
        self.offsets = offsets
    }

    /// 0.
    public var startIndex: Int { 0 }

    /// The number of strings.
    public var endIndex: Int { offsets.count - 1 }

    /// The string at an index; bytes that are not UTF-8 become U+FFFD.
    public subscript(index: Int) -> String { String(decoding: utf8(at: index), as: UTF8.self) }

    /// Returns a view of a string's bytes in the file, which are not copied. It is valid as long as this collection or
    /// its file is alive.
    public func utf8(at index: Int) -> UnsafeRawBufferPointer {
        // Lengths come from the offsets, not from the file, which may have been overwritten since they were checked.
        file[start + Int(offsets[index]) + lengthFieldSize..<start + Int(offsets[index + 1])]
    }

    private var lengthFieldSize: Int { MemoryLayout<UInt64>.size }
}
