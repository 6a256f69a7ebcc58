#if arch(x86_64)
import LeapBlocks
import _Builtin_intrinsics.intel

// Shared by the 256-element formats: unsigned quants with a scale per group of 16, whose products with the activations
// are exact integers, and either a zero point or minima, which multiply the activations' group sums.

/// The unsigned quants of a block: four vectors of 64, in element order.
typealias Quants256 = (Bytes64, Bytes64, Bytes64, Bytes64)

// MARK: - Scales

/// The 16 group scales of a block, in the order that ``scaledSum(_:_:_:from:)`` uses.
///
/// The k-th 16 bytes of a packed vector there hold four sums of group k of one vector and four of group k of the next;
/// a vector of 64 quants has four groups.
typealias SpreadScales = (lower: Bytes64, upper: Bytes64)

/// Spreads 16 scales of 16 bits.
@inline(__always)
func spreadScales(_ scales: Bytes32) -> SpreadScales {
    let scales = _mm512_castsi256_si512(scales)
    let lower = quadruple(0, 4, 1, 5, 2, 6, 3, 7)
    return (_mm512_permutexvar_epi16(lower, scales), _mm512_permutexvar_epi16(lower &+ splat16(8), scales))
}

/// `Σ_k (start[k / 4] + q[k] · x[k]) · scale[k / 16]`, spread over 32-bit lanes, where each start is added to four
/// products.
///
/// The sums of four products are packed to 16 bits, which is exact for quants up to 63 (63 · 128 · 4 < 2¹⁵), so that
/// one multiply-add applies the scales of two vectors.
@inline(__always)
func scaledSum(_ quants: Quants256, _ scales: SpreadScales, _ x: Quants256, from start: Quants256) -> Bytes64 {
    let first = addProducts(start.0, quants.0, x.0)
    let second = addProducts(start.1, quants.1, x.1)
    let third = addProducts(start.2, quants.2, x.2)
    let fourth = addProducts(start.3, quants.3, x.3)
    let lower = _mm512_madd_epi16(_mm512_packs_epi32(first, second), scales.lower)
    return _mm512_dpwssd_epi32(lower, _mm512_packs_epi32(third, fourth), scales.upper)
}

/// The scale of a `Q8_K` block.
@inline(__always)
func activationScale(_ activations: UnsafeRawPointer) -> Float {
    activations.loadUnaligned(fromByteOffset: BlockQ8_K.d, as: Float.self)
}
#endif
