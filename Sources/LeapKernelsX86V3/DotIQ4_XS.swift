#if arch(x86_64)
import LeapBlocks
import _Builtin_intrinsics.intel

/// `IQ4_XS`: 8 groups of 32 elements; 16 bytes carry the first 16 step indices of a group in their low halves and the
/// others in their high halves.
let dotIQ4_XS: DotKernel = {
    dotSuperBlocks(
        ($0, $1, $2, $3, $4, $5, $6, $7, $8), byteCount: BlockIQ4_XS.byteCount, unpack: unpack, accumulate: accumulate)
}

/// 256 signed quants, 8 scales in both halves, and their scale.
private typealias Weights = (quants: Quants256, scales: SpreadScales, d: Float)

@inline(__always)
private func unpack(_ block: UnsafeRawPointer) -> Weights {
    let qs = block + BlockIQ4_XS.qs
    let quants = (
        steps(nibbles(qs)), steps(nibbles(qs + 16)), steps(nibbles(qs + 32)), steps(nibbles(qs + 48)),
        steps(nibbles(qs + 64)), steps(nibbles(qs + 80)), steps(nibbles(qs + 96)), steps(nibbles(qs + 112))
    )
    return (quants, scales(block), loadHalf(block + BlockIQ4_XS.d))
}

@inline(__always)
private func accumulate(_ weights: Weights, _ activations: UnsafeRawPointer, _ sum: Lanes) -> Lanes {
    let product = scaledSum(weights.quants, weights.scales, activations, adding: Bytes32()) {
        signedProductsOfTwo($0, $1)
    }
    return multiplyAdd(floats(product), Lanes(repeating: weights.d * activationScale(activations)), sum)
}

/// The 8 scales less 32.
@inline(__always)
private func scales(_ block: UnsafeRawPointer) -> SpreadScales {
    let low = block.loadUnaligned(fromByteOffset: BlockIQ4_XS.scalesLow, as: Int32.self)
    let high = Int32(block.loadUnaligned(fromByteOffset: BlockIQ4_XS.scalesHigh, as: UInt16.self))
    let lower = _mm256_srlv_epi32(_mm256_set1_epi32(low), _mm256_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28))
    let upper = _mm256_srlv_epi32(_mm256_set1_epi32(high), _mm256_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14))
    let bits = lower & _mm256_set1_epi32(15) | _mm256_slli_epi32(upper & _mm256_set1_epi32(3), 4)
    let parts = unsafeBitCast(_mm256_sub_epi32(bits, _mm256_set1_epi32(32)), to: (Bytes16, Bytes16).self)
    return twice(_mm_packs_epi32(parts.0, parts.1))
}
#endif
