#if arch(x86_64)
import _Builtin_intrinsics.intel

/// The 8 scales and then the 8 minima of a `Q4_K` or `Q5_K` block as bytes, from the block's first 16 bytes.
///
/// In 32-bit words the block starts with `[d | dmin, a, b, c]`; the four groups of four bytes are
///
///     scales 0 … 3 = a & 63      scales 4 … 7 = (c & 15) | (a >> 2 & 48)
///     minima 0 … 3 = b & 63      minima 4 … 7 = (c >> 4 & 15) | (b >> 2 & 48)
@inline(__always)
func sixBitScales(_ header: Bytes16) -> Bytes16 {
    let low = _mm_srlv_epi32(words(header, 1, 3, 2, 3), words(0, 0, 0, 4))
    let high = _mm_srli_epi32(words(header, 0, 1, 0, 2), 2)
    return low & words(0x3F3F_3F3F, 0x0F0F_0F0F, 0x3F3F_3F3F, 0x0F0F_0F0F)
        | high & words(0, 0x3030_3030, 0, 0x3030_3030)
}

/// Selects four of a vector's 32-bit words.
@inline(__always)
private func words(_ bytes: Bytes16, _ a: Int32, _ b: Int32, _ c: Int32, _ d: Int32) -> Bytes16 {
    let chosen = _mm_permutevar_ps(unsafeBitCast(bytes, to: SIMD4<Float>.self), words(a, b, c, d))
    return unsafeBitCast(chosen, to: Bytes16.self)
}

/// Four 32-bit words.
@inline(__always)
private func words(_ a: Int32, _ b: Int32, _ c: Int32, _ d: Int32) -> Bytes16 {
    unsafeBitCast(SIMD4(a, b, c, d), to: Bytes16.self)
}
#endif
