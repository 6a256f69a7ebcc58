/// Memory aligned to a cache line, like a file's tensors in a mapping.
final class AlignedBytes {
    let buffer: UnsafeMutableRawBufferPointer

    init(_ bytes: some Collection<UInt8>) {
        buffer = .allocate(byteCount: max(bytes.count, 1), alignment: 64)
        buffer.copyBytes(from: bytes)
    }

    deinit { buffer.deallocate() }

    /// The first byte.
    var base: UnsafeMutableRawPointer {
        guard let base = buffer.baseAddress else { preconditionFailure("memory of at least one byte has an address") }
        return base
    }
}
