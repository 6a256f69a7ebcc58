#if arch(x86_64)
import LeapBlocks
import _Builtin_intrinsics.intel

/// For a tile of blocks that begin like `Q4_K`'s: `d · scale` of each group in the lower 8 lanes, then the 16-bit
/// minima, two groups per lane, then `−dmin`.
@inline(__always)
func sixBitFactors(header: Bytes16) -> Lanes {
    let groups = sixBitScales(header)
    let factors = _mm_cvtph_ps(header)
    let scales = _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(groups)) * SIMD8<Float>(repeating: factors[0])
    let minima = unsafeBitCast(_mm_cvtepu8_epi16(_mm_unpackhi_epi64(groups, groups)), to: SIMD4<Float>.self)
    return SIMD16(lowHalf: scales, highHalf: SIMD8(lowHalf: minima, highHalf: SIMD4(repeating: -factors[1])))
}
#endif
