#if arch(x86_64)
import LeapBlocks
import _Builtin_intrinsics.intel

/// The 4-bit fields of 16 bytes: first the low halves, then the high halves.
@inline(__always)
func nibbles(_ qs: UnsafeRawPointer) -> Bytes32 {
    // In 64-bit lanes; the mask drops the bits that come from the neighbouring byte.
    _mm256_srlv_epi64(twice(bytes16(qs)), Bytes32(0, 0, 4, 4)) & splat(15)
}

/// The 5-bit quants of a block: 16 bytes of lower bits and 4 bytes of fifth bits.
@inline(__always)
func fiveBits(_ qs: UnsafeRawPointer, _ qh: UnsafeRawPointer) -> Bytes32 {
    // Each 8 lanes get the byte with their 8 bits, and each lane looks at one of them.
    let bits = _mm256_set1_epi32(qh.loadUnaligned(as: Int32.self))
    let byteOfLane = Bytes32(0, 0x0101_0101_0101_0101, 0x0202_0202_0202_0202, 0x0303_0303_0303_0303)
    let bitOfLane = Bytes32(repeating: Int64(bitPattern: 0x8040_2010_0804_0201))
    let isSet = _mm256_cmpeq_epi8(_mm256_shuffle_epi8(bits, byteOfLane) & bitOfLane, bitOfLane)
    return nibbles(qs) | isSet & splat(16)
}

/// The steps of `IQ4_NL` and `IQ4_XS` that 4-bit indices stand for.
@inline(__always)
func steps(_ indices: Bytes32) -> Bytes32 {
    let steps = SIMD16<Int8>(-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113)
    return _mm256_shuffle_epi8(twice(unsafeBitCast(steps, to: Bytes16.self)), indices)
}
#endif
