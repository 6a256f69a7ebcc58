/// SHA-256 as its standard describes it (FIPS 180-4, section 6.2): bytes are cut into blocks of 64, and each block changes
/// eight words.
struct SHA256Blocks: Sendable {
    private static let blockCount = 64
    /// Bytes after the message: a one bit, zeros, and its length in bits as eight bytes.
    private static let lengthCount = 8

    private var words = SHA256Words.initial
    /// Bytes that do not fill a block yet.
    private var pending: [UInt8] = []
    private var count: UInt64 = 0

    mutating func update(bufferPointer bytes: UnsafeRawBufferPointer) {
        count &+= UInt64(bytes.count)
        var rest = bytes[...]
        if !pending.isEmpty {
            let missing = rest.prefix(Self.blockCount - pending.count)
            pending += missing
            rest = rest[missing.endIndex...]
            guard pending.count == Self.blockCount else { return }
            words = pending.withUnsafeBytes { words.absorbing($0) }
            pending.removeAll(keepingCapacity: true)
        }
        let whole = rest.prefix(rest.count / Self.blockCount * Self.blockCount)
        words = words.absorbing(UnsafeRawBufferPointer(rebasing: whole))
        pending += rest[whole.endIndex...]
    }

    func finalize() -> [UInt8] {
        let zeros = (2 * Self.blockCount - Self.lengthCount - 1 - pending.count) % Self.blockCount
        var end = pending + [0x80] + Array(repeating: 0, count: zeros)
        withUnsafeBytes(of: (count &* 8).bigEndian) { end += $0 }
        return end.withUnsafeBytes { words.absorbing($0) }.bytes
    }
}
