#if arch(x86_64)
import LeapBlocks
import _Builtin_intrinsics.intel

/// The 4-bit fields of 16 bytes at an even offset in each of four blocks: the low nibbles, and the high nibbles.
@inline(__always)
func nibbles(_ offset: Int, of words: QuartetWords) -> (low: Bytes64, high: Bytes64) {
    let bytes = eightWords(offset, of: words)
    return (bytes & splat(15), _mm512_srli_epi16(bytes, 4) & splat(15))
}

/// The 5-bit quants of four blocks: 16 bytes of lower bits as above, and 32 fifth bits in element order.
@inline(__always)
func fiveBits(_ qs: Int, _ qh: Int, of words: QuartetWords) -> (low: Bytes64, high: Bytes64) {
    let (low, high) = nibbles(qs, of: words)
    let fifth = joinedWords(qh, of: words)
    return (low | _mm512_maskz_set1_epi8(fifth.first, 16), high | _mm512_maskz_set1_epi8(fifth.second, 16))
}

/// The steps of `IQ4_NL` and `IQ4_XS` at 4-bit indices, plus 128.
@inline(__always)
func raisedSteps(_ indices: Bytes64) -> Bytes64 {
    let steps = SIMD16<UInt8>(1, 24, 45, 63, 79, 93, 106, 118, 129, 141, 153, 166, 181, 197, 217, 241)
    return _mm512_shuffle_epi8(_mm512_broadcast_i32x4(unsafeBitCast(steps, to: Bytes16.self)), indices)
}
#endif
