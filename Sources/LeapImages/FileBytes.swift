/// The bytes of an untrusted file. Reads beyond the end return `nil`.
struct FileBytes {
    private let bytes: UnsafeBufferPointer<UInt8>

    /// The bytes must stay valid as long as this value is used.
    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    var count: Int { bytes.count }
    var isEmpty: Bool { bytes.isEmpty }

    /// For functions that take a pointer and a count.
    var base: UnsafePointer<UInt8>? { bytes.baseAddress }

    subscript(offset: Int) -> UInt8? {
        offset >= 0 && offset < bytes.count ? bytes[offset] : nil
    }

    /// The bytes from an offset on; `nil` if there are fewer.
    func slice(at offset: Int, count: Int) -> FileBytes? {
        guard offset >= 0, count >= 0, offset <= self.count, count <= self.count - offset else { return nil }
        return FileBytes(UnsafeBufferPointer(rebasing: bytes[offset..<offset + count]))
    }

    /// The remaining bytes from an offset on, possibly none.
    func dropping(_ offset: Int) -> FileBytes {
        FileBytes(UnsafeBufferPointer(rebasing: bytes.dropFirst(max(offset, 0))))
    }

    /// The bytes after the first zero, possibly none.
    func droppingThroughZero() -> FileBytes { dropping((bytes.firstIndex(of: 0) ?? count) + 1) }

    /// A copy of all bytes.
    var all: [UInt8] { Array(bytes) }

    /// At most `limit` bytes from the beginning.
    func prefix(_ limit: Int) -> [UInt8] { Array(bytes.prefix(limit)) }

    /// An unsigned number of up to seven bytes.
    func number(at offset: Int, bytes count: Int, isBigEndian: Bool) -> Int? {
        guard let digits = slice(at: offset, count: count)?.bytes else { return nil }
        return isBigEndian
            ? digits.reduce(0) { $0 << 8 | Int($1) } : digits.reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    func big16(at offset: Int) -> Int? { number(at: offset, bytes: 2, isBigEndian: true) }
    func big32(at offset: Int) -> Int? { number(at: offset, bytes: 4, isBigEndian: true) }
    func little16(at offset: Int) -> Int? { number(at: offset, bytes: 2, isBigEndian: false) }
    func little24(at offset: Int) -> Int? { number(at: offset, bytes: 3, isBigEndian: false) }
    func little32(at offset: Int) -> Int? { number(at: offset, bytes: 4, isBigEndian: false) }

    func begin(with prefix: [UInt8]) -> Bool { bytes.starts(with: prefix) }

    /// Bytes as text, such as the name of a chunk.
    func text(at offset: Int, count: Int) -> String? {
        slice(at: offset, count: count).map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    /// The first bytes as hexadecimal numbers, for messages.
    func beginning(_ count: Int) -> String {
        bytes.prefix(count).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }.joined(separator: " ")
    }
}
