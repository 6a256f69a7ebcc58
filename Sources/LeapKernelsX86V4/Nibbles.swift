#if arch(x86_64)
import LeapBlocks
import _Builtin_intrinsics.intel

/// The 4-bit fields of 16 bytes at an offset in two neighbouring blocks; see ``nibbles(_:_:)``.
@inline(__always)
func nibbles(_ blocks: BlockQuartet, _ index: Int, _ offset: Int) -> Bytes64 {
    nibbles(block(index, of: blocks) + offset, block(index &+ 1, of: blocks) + offset)
}

/// The 4-bit fields of 16 bytes at two places: of each first the low halves, then the high halves.
@inline(__always)
func nibbles(_ first: UnsafeRawPointer, _ second: UnsafeRawPointer) -> Bytes64 {
    let four: Int64 = 0x0004_0004_0004_0004
    return _mm512_srlv_epi16(twice16(first, second), Bytes64(0, 0, four, four, 0, 0, four, four)) & splat(15)
}

/// The 5-bit quants of two neighbouring blocks: 16 bytes of lower bits and 4 bytes of fifth bits.
@inline(__always)
func fiveBits(_ blocks: BlockQuartet, _ index: Int, _ qs: Int, _ qh: Int) -> Bytes64 {
    let low = nibbles(blocks, index, qs)
    let first = (block(index, of: blocks) + qh).loadUnaligned(as: UInt32.self)
    let second = (block(index &+ 1, of: blocks) + qh).loadUnaligned(as: UInt32.self)
    return _mm512_mask_add_epi8(low, UInt64(first) | UInt64(second) &<< 32, low, splat(16))
}

/// The steps of `IQ4_NL` and `IQ4_XS` that 4-bit indices stand for, plus 128.
@inline(__always)
func raisedSteps(_ indices: Bytes64) -> Bytes64 {
    let steps = SIMD16<UInt8>(1, 24, 45, 63, 79, 93, 106, 118, 129, 141, 153, 166, 181, 197, 217, 241)
    return _mm512_shuffle_epi8(_mm512_broadcast_i32x4(unsafeBitCast(steps, to: Bytes16.self)), indices)
}
#endif
