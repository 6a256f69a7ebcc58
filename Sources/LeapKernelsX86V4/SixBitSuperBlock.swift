#if arch(x86_64)
import LeapBlocks
import _Builtin_intrinsics.intel

/// A block from its quants and its first 16 bytes, whose 8 scales and minima count for 32 elements each.
@inline(__always)
func sixBitSuperBlock(_ quants: Quants256, header: Bytes16) -> MinimumSuperBlock {
    let groups = _mm256_cvtepu8_epi16(sixBitScales(header))
    // Numbers 8 … 15 are the minima, each twice; what the upper half holds does not matter.
    let upper = Bytes64(repeating: 0x0009_0009_0008_0008) &+ Bytes64(0, 1, 2, 3, 0, 1, 2, 3) &* splat16(2)
    let minima = _mm512_permutexvar_epi16(upper, _mm512_castsi256_si512(groups))
    let factors = _mm_cvtph_ps(header)
    return (quants, spreadDoubledScales(groups), minima, factors[0], factors[1])
}

/// For a tile: `d · scale` of each group in the lower 8 lanes, then the 16-bit minima of two groups in each lane, then
/// `−dmin`.
@inline(__always)
func sixBitFactors(header: Bytes16) -> Lanes {
    let groups = sixBitScales(header)
    let factors = _mm_cvtph_ps(header)
    let scales = _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(groups)) * SIMD8<Float>(repeating: factors[0])
    let minima = unsafeBitCast(_mm_cvtepu8_epi16(_mm_unpackhi_epi64(groups, groups)), to: SIMD4<Float>.self)
    return SIMD16(lowHalf: scales, highHalf: SIMD8(lowHalf: minima, highHalf: SIMD4(repeating: -factors[1])))
}
#endif
