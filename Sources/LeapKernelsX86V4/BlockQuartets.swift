#if arch(x86_64)
import LeapBlocks
import _Builtin_intrinsics.intel

/// Four blocks of weights: unsigned quants of blocks 0 and 1 and of blocks 2 and 3 in element order, a scale for each
/// block, and a minimum for each where the format has them.
typealias WeightQuartet = (lower: Bytes64, upper: Bytes64, d: SIMD4<Float>, m: SIMD4<Float>)

/// Four blocks of activations: quants in element order; `−zero · Σ q` in the lanes that the products will be added to;
/// a scale for each block, and the sum of its values where the weights have minima.
typealias ActivationQuartet = (
    lower: Bytes64, upper: Bytes64, lowerOffset: Bytes64, upperOffset: Bytes64, d: SIMD4<Float>, s: SIMD4<Float>
)

/// Dot products of rows of blocks `d · (q − zero)` with unsigned quants, which meet `Q8_0`.
@inline(__always)
func dotOffsetBlocks(
    _ operands: DotOperands, byteCount: Int, zero: UInt8, unpack: (_ blocks: BlockQuartet) -> WeightQuartet
) {
    dotBlocks(
        operands, byteCount: byteCount, activationByteCount: BlockQ8_0.byteCount, unpack: unpack,
        prepare: { offsetActivations($0, zero: zero) }, accumulate: addScaledProducts)
}

@inline(__always)
private func offsetActivations(_ blocks: BlockQuartet, zero: UInt8) -> ActivationQuartet {
    let lower = quants(blocks, 0, BlockQ8_0.qs)
    let upper = quants(blocks, 2, BlockQ8_0.qs)
    return (
        lower, upper,
        _mm512_sub_epi32(Bytes64(), addProducts(Bytes64(), splat(zero), lower)),
        _mm512_sub_epi32(Bytes64(), addProducts(Bytes64(), splat(zero), upper)),
        halves(BlockQ8_0.d, of: blocks), SIMD4(repeating: 0)
    )
}

/// Dot products of rows of blocks `d · q + m` with unsigned quants, which meet `Q8_1`: Σ (d q + m) x = d Σ q x + m Σ x.
@inline(__always)
func dotMinimumBlocks(
    _ operands: DotOperands, byteCount: Int, unpack: (_ blocks: BlockQuartet) -> WeightQuartet
) {
    dotBlocks(
        operands, byteCount: byteCount, activationByteCount: BlockQ8_1.byteCount, unpack: unpack,
        prepare: summedActivations, accumulate: addScaledProductsAndMinima)
}

@inline(__always)
private func summedActivations(_ blocks: BlockQuartet) -> ActivationQuartet {
    (
        quants(blocks, 0, BlockQ8_1.qs), quants(blocks, 2, BlockQ8_1.qs), Bytes64(), Bytes64(),
        halves(BlockQ8_1.d, of: blocks), halves(BlockQ8_1.s, of: blocks)
    )
}

@inline(__always)
private func addScaledProductsAndMinima(_ weights: WeightQuartet, _ x: ActivationQuartet, _ sum: Lanes) -> Lanes {
    let products = addScaledProducts(weights, x, sum)
    return _mm512_mask3_fmadd_ps(_mm512_castps128_ps512(weights.m), _mm512_castps128_ps512(x.s), products, 0x000F)
}

/// The quants of two neighbouring blocks.
@inline(__always)
private func quants(_ blocks: BlockQuartet, _ index: Int, _ offset: Int) -> Bytes64 {
    bytes64(block(index, of: blocks) + offset, block(index &+ 1, of: blocks) + offset)
}

/// `sum + Σ d · x.d · (offset + Σ q · x.q)`, spread over the lanes.
@inline(__always)
private func addScaledProducts(_ weights: WeightQuartet, _ x: ActivationQuartet, _ sum: Lanes) -> Lanes {
    let scales = weights.d * x.d
    let lower = floats(addProducts(x.lowerOffset, weights.lower, x.lower))
    let upper = floats(addProducts(x.upperOffset, weights.upper, x.upper))
    return multiplyAdd(upper, spread(scales, 2, 3), multiplyAdd(lower, spread(scales, 0, 1), sum))
}

/// One of four numbers in the lower 8 lanes, another in the upper.
@inline(__always)
private func spread(_ numbers: SIMD4<Float>, _ low: Int64, _ high: Int64) -> Lanes {
    _mm512_permutexvar_ps(splat32(low, high), _mm512_castps128_ps512(numbers))
}
#endif
