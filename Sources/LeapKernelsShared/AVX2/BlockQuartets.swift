#if arch(x86_64)
import LeapBlocks
import _Builtin_intrinsics.intel

// Four blocks of 32 elements at once. One vector holds the first 16 elements of two blocks and another their last 16,
// so that their products can be added before they are widened and scaled:
//
//     low    ┌ 0 … 15 of block 0  ┬ 0 … 15 of block 1  ┐
//     high   ├ 16 … 31 of block 0 ┼ 16 … 31 of block 1 ┤
//            └ scale of block 0   ┴ scale of block 1   ┘

/// 32 bytes of each of four blocks, by halves: those of blocks 0 and 1, and those of blocks 2 and 3.
typealias HalvedQuartet = (low01: Bytes32, high01: Bytes32, low23: Bytes32, high23: Bytes32)

/// Four blocks of weights: quants, one scale per block, and one minimum per block if the format has minima.
typealias WeightQuartet = (quants: HalvedQuartet, d: SIMD4<Float>, m: SIMD4<Float>)

/// Four blocks of activations: quants; zero · q, as sums of four, to be subtracted from the products; one scale per
/// block, and the sum of each block's values if the weights have minima.
private typealias ActivationQuartet = (
    quants: HalvedQuartet, offset01: Bytes32, offset23: Bytes32, d: SIMD4<Float>, s: SIMD4<Float>
)

// MARK: - Formats with a zero point

/// Dot products of rows of blocks `d · (q − zero)` with unsigned quants up to 31, and `Q8_0` activations.
@inline(__always)
func dotOffsetBlocks(
    _ operands: DotOperands, byteCount: Int, zero: UInt8, unpack: (_ blocks: BlockQuartet) -> WeightQuartet
) {
    dotBlocks(
        operands, byteCount: byteCount, activationByteCount: BlockQ8_0.byteCount, unpack: unpack,
        prepare: { offsetActivations($0, zero: zero) }, accumulate: addProducts)
}

@inline(__always)
private func offsetActivations(_ blocks: BlockQuartet, zero: UInt8) -> ActivationQuartet {
    let x = halved(blocks, BlockQ8_0.qs)
    let zeros = splat(zero)
    return (
        x, sumsOfFour((zeros, zeros), (x.low01, x.high01)), sumsOfFour((zeros, zeros), (x.low23, x.high23)),
        halves(BlockQ8_0.d, of: blocks), SIMD4(repeating: 0)
    )
}

// MARK: - Formats with minima

/// Dot products of rows of blocks `d · q + m` with unsigned quants up to 31, and `Q8_1` activations: Σ (d q + m) x = d
/// Σ q x + m Σ x.
@inline(__always)
func dotMinimumBlocks(
    _ operands: DotOperands, byteCount: Int, unpack: (_ blocks: BlockQuartet) -> WeightQuartet
) {
    dotBlocks(
        operands, byteCount: byteCount, activationByteCount: BlockQ8_1.byteCount, unpack: unpack,
        prepare: summedActivations,
        accumulate: { weights, x, sum in
            let minima = Lanes(lowHalf: weights.m * x.s, highHalf: SIMD4(repeating: 0))
            return addProducts(weights, x, sum + minima)
        })
}

@inline(__always)
private func summedActivations(_ blocks: BlockQuartet) -> ActivationQuartet {
    (
        halved(blocks, BlockQ8_1.qs), Bytes32(), Bytes32(), halves(BlockQ8_1.d, of: blocks),
        halves(BlockQ8_1.s, of: blocks)
    )
}

// MARK: - Formats of signed bytes

/// Dot products of rows of blocks `d · q` with signed quants, and `Q8_0` activations.
@inline(__always)
func dotSignedBlocks(
    _ operands: DotOperands, byteCount: Int, unpack: (_ blocks: BlockQuartet) -> WeightQuartet
) {
    dotBlocks(
        operands, byteCount: byteCount, activationByteCount: BlockQ8_0.byteCount, unpack: unpack,
        prepare: { (halved($0, BlockQ8_0.qs), Bytes32(), Bytes32(), halves(BlockQ8_0.d, of: $0), SIMD4(repeating: 0)) },
        accumulate: addSignedProducts)
}

@inline(__always)
private func addSignedProducts(_ weights: WeightQuartet, _ x: ActivationQuartet, _ sum: Lanes) -> Lanes {
    let w = weights.quants
    return addScaled(
        _mm256_add_epi32(signedProducts(w.low01, x.quants.low01), signedProducts(w.high01, x.quants.high01)),
        _mm256_add_epi32(signedProducts(w.low23, x.quants.low23), signedProducts(w.high23, x.quants.high23)),
        weights.d * x.d, sum)
}

// MARK: - Parts

@inline(__always)
private func addProducts(_ weights: WeightQuartet, _ x: ActivationQuartet, _ sum: Lanes) -> Lanes {
    let w = weights.quants
    let first = sumsOfFour((w.low01, w.high01), (x.quants.low01, x.quants.high01))
    let second = sumsOfFour((w.low23, w.high23), (x.quants.low23, x.quants.high23))
    return addScaled(
        _mm256_madd_epi16(_mm256_sub_epi16(first, x.offset01), splat16(1)),
        _mm256_madd_epi16(_mm256_sub_epi16(second, x.offset23), splat16(1)),
        weights.d * x.d, sum)
}

/// Sums of four products in 16-bit lanes, two neighbours from each half: 4 · 31 · 127 < 2¹⁵.
@inline(__always)
private func sumsOfFour(_ unsigned: (Bytes32, Bytes32), _ signed: (Bytes32, Bytes32)) -> Bytes32 {
    _mm256_add_epi16(_mm256_maddubs_epi16(unsigned.0, signed.0), _mm256_maddubs_epi16(unsigned.1, signed.1))
}

/// Adds the products of blocks 0 and 1 and of blocks 2 and 3, times the blocks' scales, to `sum`.
@inline(__always)
private func addScaled(_ first: Bytes32, _ second: Bytes32, _ scales: SIMD4<Float>, _ sum: Lanes) -> Lanes {
    let scales = _mm256_set_m128(scales, scales)
    let sum = multiplyAdd(floats(first), spread(scales, 0, 1), sum)
    return multiplyAdd(floats(second), spread(scales, 2, 3), sum)
}

/// Broadcasts one of four numbers, which both halves hold, to the lower half's lanes, and another to the upper's.
@inline(__always)
private func spread(_ numbers: Lanes, _ low: Int32, _ high: Int32) -> Lanes {
    _mm256_permutevar_ps(numbers, _mm256_setr_epi32(low, low, low, low, high, high, high, high))
}

/// 32 bytes at an offset in each of four blocks.
@inline(__always)
func halved(_ blocks: BlockQuartet, _ offset: Int) -> HalvedQuartet {
    let (a, b) = (block(0, of: blocks) + offset, block(1, of: blocks) + offset)
    let (c, d) = (block(2, of: blocks) + offset, block(3, of: blocks) + offset)
    return (join(a, b), join(a + 16, b + 16), join(c, d), join(c + 16, d + 16))
}

/// The half-precision numbers at an offset in each block; 0 for blocks that do not exist.
@inline(__always)
func halves(_ offset: Int, of blocks: BlockQuartet) -> SIMD4<Float> {
    func bits(_ index: Int) -> UInt64 {
        UInt64((block(index, of: blocks) + offset).loadUnaligned(as: UInt16.self)) &<< UInt64(16 &* index)
    }
    // Assembled in general-purpose registers, while the vector units are busy.
    let joined = _bzhi_u64(bits(0) | bits(1) | bits(2) | bits(3), UInt64(truncatingIfNeeded: 16 &* blocks.count))
    return _mm_cvtph_ps(Bytes16(Int64(bitPattern: joined), 0))
}
#endif
