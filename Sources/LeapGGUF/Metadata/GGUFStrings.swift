/// The strings of a metadata array, made one by one when they are asked for.
///
/// A vocabulary has 10⁵ strings and most callers need few of them, so nothing is decoded in advance. Opening the file
/// notes where every string starts (4 bytes a string), so that access to any of them takes constant time.
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

    /// A string; bytes that are not UTF-8 become U+FFFD.
    public subscript(index: Int) -> String { String(decoding: utf8(at: index), as: UTF8.self) }

    /// A string's bytes as they stand in the file, not copied. They stay valid while this collection, or the file that
    /// it came from, is alive.
    public func utf8(at index: Int) -> UnsafeRawBufferPointer {
        // Lengths come from the offsets, not from the file, which may have been overwritten since they were checked.
        file[start + Int(offsets[index]) + lengthFieldSize..<start + Int(offsets[index + 1])]
    }

    private var lengthFieldSize: Int { MemoryLayout<UInt64>.size }
}
