#if PORTABLE || X86_64 && arch(x86_64) || ARM64 && arch(arm64)
internal import LeapBlocks

/// Calls `body` with the address of every block and of its first value.
@inline(__always)
func forEachBlock<B: Block>(
    of type: B.Type, _ source: UnsafeRawPointer, _ destination: UnsafeMutablePointer<Float>, _ blocks: Int,
    _ body: (_ block: UnsafeRawPointer, _ values: UnsafeMutablePointer<Float>) -> Void
) {
    for i in 0..<blocks { body(source + i * B.byteCount, destination + i * B.elementCount) }
}

extension UnsafeRawPointer {
    /// The bytes from `offset` as unsigned numbers.
    @inline(__always)
    func unsigned(_ offset: Int) -> UnsafePointer<UInt8> { (self + offset).assumingMemoryBound(to: UInt8.self) }

    /// The bytes from `offset` as signed numbers.
    @inline(__always)
    func signed(_ offset: Int) -> UnsafePointer<Int8> { (self + offset).assumingMemoryBound(to: Int8.self) }
}
#endif
