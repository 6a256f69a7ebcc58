#if arch(x86_64)
import LeapBlocks
import _Builtin_intrinsics.intel

// Formats whose blocks have the lower two bits of 256 elements in 64 bytes: those of elements 32j … 32j + 31 are bit
// pair j of the first 32 bytes; those of the second half of the block, bit pair j of the last 32. Activations are
// permuted such that bit pair j of all 64 bytes corresponds to one vector, so that the weights need no byte shuffles.

/// The bit pairs of 64 bytes: each vector has 32 elements of either half of the block.
@inline(__always)
func halvedBitPairs(_ qs: UnsafeRawPointer) -> Quants256 {
    let bytes = bytes64(qs)
    return (
        bytes & splat(3), _mm512_srli_epi16(bytes, 2) & splat(3), _mm512_srli_epi16(bytes, 4) & splat(3),
        _mm512_srli_epi16(bytes, 6) & splat(3)
    )
}

/// The quants of a `Q8_K` block in that order.
@inline(__always)
func halvedQuants(_ block: UnsafeRawPointer) -> Quants256 {
    let x = block + BlockQ8_K.qs
    return (
        bytes64(x, x + 128), bytes64(x + 32, x + 160), bytes64(x + 64, x + 192), bytes64(x + 96, x + 224)
    )
}

/// Spreads 16 scales of 16 bits in that order.
@inline(__always)
func spreadHalvedScales(_ scales: Bytes32) -> SpreadScales {
    let scales = _mm512_castsi256_si512(scales)
    let lower = quadruple(0, 2, 1, 3, 8, 10, 9, 11)
    return (_mm512_permutexvar_epi16(lower, scales), _mm512_permutexvar_epi16(lower &+ splat16(4), scales))
}
#endif
