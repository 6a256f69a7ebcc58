#if arch(x86_64)
import LeapBlocks
import _Builtin_intrinsics.intel

/// 32 quants of each of four blocks, in element order.
typealias QuartetOfQuants = (Bytes32, Bytes32, Bytes32, Bytes32)

/// Four blocks of weights: quants, a scale for each block, and a minimum for each where the format has them.
typealias WeightQuartet = (quants: QuartetOfQuants, d: SIMD4<Float>, m: SIMD4<Float>)

/// Four blocks of activations: quants; zero · q, as sums of two, to be taken off the products; a scale for each block,
/// and the sum of its values where the weights have minima.
typealias ActivationQuartet = (quants: QuartetOfQuants, offsets: QuartetOfQuants, d: SIMD4<Float>, s: SIMD4<Float>)

// MARK: - Formats with a zero point

/// Dot products of rows of blocks `d · (q − zero)` with unsigned quants, which meet `Q8_0`.
@inline(__always)
func dotOffsetBlocks(
    _ operands: DotOperands, byteCount: Int, zero: UInt8, unpack: (_ blocks: BlockQuartet) -> WeightQuartet
) {
    dotBlocks(
        operands, byteCount: byteCount, activationByteCount: BlockQ8_0.byteCount, unpack: unpack,
        prepare: { offsetActivations($0, zero: zero) }, accumulate: addOffsetProducts)
}

@inline(__always)
private func offsetActivations(_ blocks: BlockQuartet, zero: UInt8) -> ActivationQuartet {
    let x = quants(blocks, BlockQ8_0.qs)
    let offsets = (
        _mm256_maddubs_epi16(splat(zero), x.0), _mm256_maddubs_epi16(splat(zero), x.1),
        _mm256_maddubs_epi16(splat(zero), x.2), _mm256_maddubs_epi16(splat(zero), x.3)
    )
    return (x, offsets, halves(BlockQ8_0.d, of: blocks), SIMD4(repeating: 0))
}

@inline(__always)
private func addOffsetProducts(_ weights: WeightQuartet, _ x: ActivationQuartet, _ sum: Lanes) -> Lanes {
    let w = weights.quants
    let products = (
        offsetProducts(w.0, x.quants.0, x.offsets.0), offsetProducts(w.1, x.quants.1, x.offsets.1),
        offsetProducts(w.2, x.quants.2, x.offsets.2), offsetProducts(w.3, x.quants.3, x.offsets.3)
    )
    return addScaled(products, weights.d * x.d, sum)
}

@inline(__always)
private func offsetProducts(_ weights: Bytes32, _ activations: Bytes32, _ offset: Bytes32) -> Bytes32 {
    let sumsOfTwo = _mm256_sub_epi16(_mm256_maddubs_epi16(weights, activations), offset)
    return _mm256_madd_epi16(sumsOfTwo, splat16(1))
}

// MARK: - Formats of signed bytes

/// Dot products of rows of blocks `d · q` with signed quants, which meet `Q8_0`.
@inline(__always)
func dotSignedBlocks(
    _ operands: DotOperands, byteCount: Int, unpack: (_ blocks: BlockQuartet) -> WeightQuartet
) {
    dotBlocks(
        operands, byteCount: byteCount, activationByteCount: BlockQ8_0.byteCount, unpack: unpack,
        prepare: plainActivations, accumulate: addSignedProducts)
}

@inline(__always)
private func plainActivations(_ blocks: BlockQuartet) -> ActivationQuartet {
    (quants(blocks, BlockQ8_0.qs), noOffsets, halves(BlockQ8_0.d, of: blocks), SIMD4(repeating: 0))
}

@inline(__always)
private func addSignedProducts(_ weights: WeightQuartet, _ x: ActivationQuartet, _ sum: Lanes) -> Lanes {
    let w = weights.quants
    let products = (
        signedProducts(w.0, x.quants.0), signedProducts(w.1, x.quants.1),
        signedProducts(w.2, x.quants.2), signedProducts(w.3, x.quants.3)
    )
    return addScaled(products, weights.d * x.d, sum)
}

// MARK: - Formats with minima

/// Dot products of rows of blocks `d · q + m` with unsigned quants, which meet `Q8_1`: Σ (d q + m) x = d Σ q x + m Σ x.
@inline(__always)
func dotMinimumBlocks(
    _ operands: DotOperands, byteCount: Int, unpack: (_ blocks: BlockQuartet) -> WeightQuartet
) {
    dotBlocks(
        operands, byteCount: byteCount, activationByteCount: BlockQ8_1.byteCount, unpack: unpack,
        prepare: summedActivations, accumulate: addProductsAndMinima)
}

@inline(__always)
private func summedActivations(_ blocks: BlockQuartet) -> ActivationQuartet {
    (quants(blocks, BlockQ8_1.qs), noOffsets, halves(BlockQ8_1.d, of: blocks), halves(BlockQ8_1.s, of: blocks))
}

@inline(__always)
private func addProductsAndMinima(_ weights: WeightQuartet, _ x: ActivationQuartet, _ sum: Lanes) -> Lanes {
    let w = weights.quants
    let products = (
        products(w.0, x.quants.0), products(w.1, x.quants.1), products(w.2, x.quants.2), products(w.3, x.quants.3)
    )
    let minima = Lanes(lowHalf: weights.m * x.s, highHalf: SIMD4(repeating: 0))
    return addScaled(products, weights.d * x.d, sum + minima)
}

// MARK: - Parts

/// The half-precision numbers at an offset in each block; 0 for blocks that do not exist.
@inline(__always)
func halves(_ offset: Int, of blocks: BlockQuartet) -> SIMD4<Float> { gatheredHalves(offset, of: blocks) }

/// 32 bytes at an offset in each of four blocks.
@inline(__always)
func quants(_ blocks: BlockQuartet, _ offset: Int) -> QuartetOfQuants {
    (
        bytes32(block(0, of: blocks) + offset), bytes32(block(1, of: blocks) + offset),
        bytes32(block(2, of: blocks) + offset), bytes32(block(3, of: blocks) + offset)
    )
}

@inline(__always)
private var noOffsets: QuartetOfQuants { (Bytes32(), Bytes32(), Bytes32(), Bytes32()) }

/// `sum + Σ_b scale[b] · products[b]`, lane by lane.
@inline(__always)
private func addScaled(_ products: QuartetOfQuants, _ scales: SIMD4<Float>, _ sum: Lanes) -> Lanes {
    let scales = _mm256_set_m128(scales, scales)
    var sum = multiplyAdd(floats(products.0), splat(scales, 0), sum)
    sum = multiplyAdd(floats(products.1), splat(scales, 1), sum)
    sum = multiplyAdd(floats(products.2), splat(scales, 2), sum)
    return multiplyAdd(floats(products.3), splat(scales, 3), sum)
}

/// One of the four numbers that both halves hold, in all lanes.
@inline(__always)
private func splat(_ numbers: Lanes, _ index: Int32) -> Lanes {
    _mm256_permutevar_ps(numbers, _mm256_set1_epi32(index))
}
#endif
