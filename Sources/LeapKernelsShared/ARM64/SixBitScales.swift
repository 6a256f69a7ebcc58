#if arch(arm64)
import LeapBlocks
import _Builtin_intrinsics.arm.neon

/// The 8 scales and then the 8 minima of a `Q4_K` or `Q5_K` block, from the block's first 16 bytes.
///
/// In 32-bit words the block starts with `[d | dmin, a, b, c]`; the four groups of four bytes are
///
///     scales 0 … 3 = a & 63      scales 4 … 7 = (c & 15) | (a >> 2 & 48)
///     minima 0 … 3 = b & 63      minima 4 … 7 = (c >> 4 & 15) | (b >> 2 & 48)
@inline(__always)
private func sixBitScales(_ header: Bytes) -> Bytes {
    let lowWords = vqtbl1q_u8(header, Bytes(4, 5, 6, 7, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15))
    let highWords = vqtbl1q_u8(header, Bytes(4, 5, 6, 7, 4, 5, 6, 7, 8, 9, 10, 11, 8, 9, 10, 11))
    let shifts = SignedBytes(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -4, -4, -4, -4)
    let low = vandq_u8(
        vshlq_u8(lowWords, shifts), Bytes(63, 63, 63, 63, 15, 15, 15, 15, 63, 63, 63, 63, 15, 15, 15, 15))
    let high = vandq_u8(
        vshlq_u8(highWords, vdupq_n_s8(-2)), Bytes(0, 0, 0, 0, 48, 48, 48, 48, 0, 0, 0, 0, 48, 48, 48, 48))
    return vorrq_u8(low, high)
}

/// Builds a block from its quants and its first 16 bytes; each of its 8 scales and minima serves two groups of 16.
@inline(__always)
func sixBitSuperBlock(_ quants: Quants256, header block: UnsafeRawPointer) -> MinimumSuperBlock {
    let numbers = sixBitScales(bytes(block))
    let scales = vqtbl1q_u8(numbers, Bytes(0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7))
    let minima = vqtbl1q_u8(numbers, Bytes(8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13, 14, 14, 15, 15))
    return (quants, signed(scales), signed(minima), loadHalf(block + BlockQ4_K.d), loadHalf(block + BlockQ4_K.dmin))
}
#endif
