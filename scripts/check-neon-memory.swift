// Memory for scripts/check-neon that ends at an unreadable page.

@_extern(c, "mmap")
private func mmap(
    _ address: UnsafeMutableRawPointer?, _ length: Int, _ protection: Int32, _ flags: Int32, _ file: Int32,
    _ offset: Int
) -> UnsafeMutableRawPointer?

@_extern(c, "mprotect")
private func mprotect(_ address: UnsafeMutableRawPointer, _ length: Int, _ protection: Int32) -> Int32

@_extern(c, "munmap")
private func munmap(_ address: UnsafeMutableRawPointer, _ length: Int) -> Int32

/// Bytes in front of a page that no access is allowed to, so that reading one too many ends the program.
final class GuardedBytes {
    /// The first byte.
    let start: UnsafeMutableRawPointer
    /// Bytes up to the page.
    let count: Int
    private let pages: UnsafeMutableRawPointer
    private let length: Int

    /// A multiple of every page size of arm64.
    private static let pageSize = 65_536

    /// Bytes that are all the same.
    init(count: Int, repeating byte: UInt8 = 0xA5) {
        let readable = (count + Self.pageSize - 1) / Self.pageSize * Self.pageSize
        length = readable + Self.pageSize
        // PROT_READ | PROT_WRITE; MAP_PRIVATE | MAP_ANONYMOUS.
        guard let pages = mmap(nil, length, 3, 0x22, -1, 0), mprotect(pages + readable, Self.pageSize, 0) == 0 else {
            fatalError()
        }
        self.pages = pages
        self.count = count
        start = pages + readable - count
        fill(with: byte)
    }

    /// A copy of bytes.
    convenience init(_ bytes: [UInt8]) {
        self.init(count: bytes.count)
        for index in 0..<bytes.count { start.storeBytes(of: bytes[index], toByteOffset: index, as: UInt8.self) }
    }

    deinit { _ = munmap(pages, length) }

    func fill(with byte: UInt8) { start.initializeMemory(as: UInt8.self, repeating: byte, count: count) }
}
