#if PORTABLE || X86_64 && arch(x86_64) || ARM64 && arch(arm64)
/// Reads every byte once; see `FloatKernels.ReadBytes`. The checksum is the wrapping sum of the little-endian 64-bit
/// words, then of the remaining bytes, so that it is the same at every level.
func readBytes(_ source: UnsafeRawPointer, _ count: Int) -> UInt64 {
    typealias Words = SIMD8<UInt64>
    let stride = MemoryLayout<Words>.size
    // Two independent accumulators, so that additions need not wait for each other.
    var (even, odd) = (Words(repeating: 0), Words(repeating: 0))
    var offset = 0
    while offset <= count - 2 * stride {
        even &+= source.loadUnaligned(fromByteOffset: offset, as: Words.self)
        odd &+= source.loadUnaligned(fromByteOffset: offset + stride, as: Words.self)
        offset += 2 * stride
    }
    let sums = even &+ odd
    var sum: UInt64 = 0
    for i in 0..<Words.scalarCount { sum &+= sums[i] }
    while offset <= count - 8 {
        sum &+= UInt64(littleEndian: source.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        offset += 8
    }
    while offset < count {
        sum &+= UInt64(source.load(fromByteOffset: offset, as: UInt8.self))
        offset += 1
    }
    return sum
}
#endif
