#if arch(x86_64)
import LeapBlocks
import _Builtin_intrinsics.intel

/// What the quants of each group of a block that begins like `Q4_K`'s are multiplied by, and what is then added:
/// `d · scale` in the lower 8 lanes, `−dmin · min` in the upper.
@inline(__always)
func sixBitFactors(header: Bytes16) -> Lanes {
    let factors = _mm_cvtph_ps(header)
    return scaled(_mm512_cvtepu8_epi32(sixBitScales(header)), factors[0], -factors[1])
}
#endif
