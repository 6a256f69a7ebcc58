#if arch(x86_64)
import LeapBlocks
import _Builtin_intrinsics.intel

/// The 4-bit fields of 16 bytes: first the low nibbles, then the high nibbles.
@inline(__always)
func nibbles(_ qs: UnsafeRawPointer) -> Bytes32 {
    // Shifts 64-bit lanes; the mask drops the bits that come from the neighbouring byte.
    _mm256_srlv_epi64(twice(bytes16(qs)), Bytes32(0, 0, 4, 4)) & splat(15)
}

/// The 4-bit fields of 16 bytes at an offset in each of four blocks.
@inline(__always)
func nibbles(_ offset: Int, of blocks: BlockQuartet) -> HalvedQuartet {
    let first = join(block(0, of: blocks) + offset, block(1, of: blocks) + offset)
    let second = join(block(2, of: blocks) + offset, block(3, of: blocks) + offset)
    return (
        first & splat(15), field(first, shift: 4, mask: 15), second & splat(15), field(second, shift: 4, mask: 15)
    )
}

/// The 5-bit quants of four blocks: 16 bytes of lower bits as above, and 32 fifth bits in element order.
@inline(__always)
func fiveBits(_ qs: Int, _ qh: Int, of blocks: BlockQuartet) -> HalvedQuartet {
    let low = nibbles(qs, of: blocks)
    let (first, second) = (fifthBits(qh, 0, of: blocks), fifthBits(qh, 2, of: blocks))
    return (
        low.low01 | sixteens(first, firstByte: 0), low.high01 | sixteens(first, firstByte: 2),
        low.low23 | sixteens(second, firstByte: 0), low.high23 | sixteens(second, firstByte: 2)
    )
}

/// The fifth bits of two neighbouring blocks, each broadcast to one half.
@inline(__always)
private func fifthBits(_ offset: Int, _ index: Int, of blocks: BlockQuartet) -> Bytes32 {
    func bits(_ index: Int) -> Bytes16 {
        _mm_set1_epi32((block(index, of: blocks) + offset).loadUnaligned(as: Int32.self))
    }
    return _mm256_set_m128i(bits(index &+ 1), bits(index))
}

/// 16 where a bit is set: bit i of the 16 bits from byte `firstByte` of each half on belongs to byte i of that half.
@inline(__always)
private func sixteens(_ bits: Bytes32, firstByte: Int64) -> Bytes32 {
    // Every 8 lanes get the byte with their 8 bits; each lane tests one of them.
    let byteOfLane = twice(Bytes16(0, 0x0101_0101_0101_0101)) &+ Bytes32(repeating: firstByte &* 0x0101_0101_0101_0101)
    let bitOfLane = Bytes32(repeating: Int64(bitPattern: 0x8040_2010_0804_0201))
    return _mm256_cmpeq_epi8(_mm256_shuffle_epi8(bits, byteOfLane) & bitOfLane, bitOfLane) & splat(16)
}

/// The steps of `IQ4_NL` and `IQ4_XS` at 4-bit indices.
@inline(__always)
func steps(_ indices: Bytes32) -> Bytes32 {
    let steps = SIMD16<Int8>(-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113)
    return _mm256_shuffle_epi8(twice(unsafeBitCast(steps, to: Bytes16.self)), indices)
}
#endif
