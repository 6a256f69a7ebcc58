#if arch(x86_64)
import LeapBlocks
import _Builtin_intrinsics.intel

/// A block from its quants and its first 16 bytes, whose 8 scales and minima count for 32 elements each.
@inline(__always)
func sixBitSuperBlock(_ quants: Quants256, header: Bytes16) -> MinimumSuperBlock {
    let bytes = sixBitScales(header)
    let minima = _mm_shuffle_epi8(bytes, Bytes16(0x0B0B_0A0A_0909_0808, 0x0F0F_0E0E_0D0D_0C0C))
    let factors = _mm_cvtph_ps(header)
    return (
        quants, _mm256_cvtepu8_epi16(_mm_shuffle_epi8(bytes, eightScalesTwice)), _mm256_cvtepu8_epi16(minima),
        factors[0], factors[1]
    )
}

/// The order of bytes in which the first 8 scales of 32 elements serve as ``SpreadScales``.
@inline(__always)
private var eightScalesTwice: Bytes16 { Bytes16(repeating: 0x0706_0504_0302_0100) }

/// A row of a tile from the same parts; what follows the 8 scales and minima does not matter.
@inline(__always)
func sixBitRow(_ quants: Quants256, header: Bytes16) -> SuperBlockRow {
    let bytes = sixBitScales(header)
    let factors = _mm_cvtph_ps(header)
    return (quants, bytes, Bytes16(bytes[1], 0), factors[0], factors[1])
}
#endif
