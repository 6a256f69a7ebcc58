#if arch(x86_64)
import LeapBlocks
import _Builtin_intrinsics.intel

/// Dot products of rows of blocks that begin with 8 scales and minima, each for a group of 32 elements.
@inline(__always)
func dotSixBitSuperBlocks(
    _ operands: DotOperands, byteCount: Int, quants: (_ block: UnsafeRawPointer) -> Quants256
) {
    dotMinimumSuperBlocks(operands, byteCount: byteCount) { block in
        let header = bytes16(block)
        let bytes = sixBitScales(header)
        let minima = _mm_shuffle_epi8(bytes, Bytes16(0x0B0B_0A0A_0909_0808, 0x0F0F_0E0E_0D0D_0C0C))
        let factors = _mm_cvtph_ps(header)
        let scales = spread(_mm_cvtepu8_epi16(bytes), operands)
        return (quants(block), scales, _mm256_cvtepu8_epi16(minima), factors[0], factors[1])
    }
}

/// 8 scales, repeated in both halves.
///
/// The compiler must not know that the halves are equal: it would then extract and broadcast each scale, which takes
/// two instructions instead of one.
@inline(__always)
private func spread(_ scales: Bytes16, _ operands: DotOperands) -> SpreadScales {
    // Always zero, since the number of blocks never reaches 2⁶², but the compiler does not know that.
    twice(scales) | Bytes32(repeating: Int64(operands.blocks &>> 62))
}

/// A row of a tile from the same parts; bytes after the 8 scales and minima are ignored.
@inline(__always)
func sixBitRow(_ quants: Quants256, header: Bytes16) -> SuperBlockRow {
    let bytes = sixBitScales(header)
    let factors = _mm_cvtph_ps(header)
    return (quants, bytes, Bytes16(bytes[1], 0), factors[0], factors[1])
}
#endif
