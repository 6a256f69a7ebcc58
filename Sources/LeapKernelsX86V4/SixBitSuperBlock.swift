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

/// What the quants of each group are multiplied by, and what is then added: `d · scale` in the lower 8 lanes,
/// `−dmin · min` in the upper.
@inline(__always)
func sixBitFactors(header: Bytes16) -> Lanes {
    let factors = _mm_cvtph_ps(header)
    return scaled(_mm512_cvtepu8_epi32(sixBitScales(header)), factors[0], -factors[1])
}
#endif
