#if arch(x86_64)
import LeapBlocks
import _Builtin_intrinsics.intel

// Formats whose 32-element blocks store the first 16 elements in the low nibbles of 16 bytes and the last 16 in the
// high nibbles. One vector holds the first 16 elements of four blocks and a second one the last 16, so that the
// products of both fall into the same 16 lanes, four per block, and are scaled together.

/// Four blocks of weights: the unsigned quants of the first and of the last 16 elements; a scale and, where the format
/// has it, a minimum, each in four lanes per block.
typealias WeightQuartet = (low: Bytes64, high: Bytes64, d: Lanes, m: Lanes)

/// Four blocks of activations: quants in the weights' order; `−zero · Σ q` in the lanes to which the products are
/// added; a scale in four lanes per block, and the sum of each block's values in one of them.
private typealias ActivationQuartet = (low: Bytes64, high: Bytes64, offset: Bytes64, d: Lanes, s: Lanes)

// MARK: - Formats with a zero point

/// Dot products of rows of blocks `d · (q − zero)` with unsigned quants, and `Q8_0` activations.
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
    let (low, high) = quants(blocks, BlockQ8_0.qs)
    let words = quartetWords(blocks)
    let offset = addProducts(addProducts(Bytes64(), splat(zero), low), splat(zero), high)
    return (
        low, high, _mm512_sub_epi32(Bytes64(), offset), quadrupledHalves(BlockQ8_0.d, of: words),
        Lanes(repeating: 0)
    )
}

// MARK: - Formats with minima

/// Dot products of rows of blocks `d · q + m` with unsigned quants, and `Q8_1` activations: Σ (d q + m) x = d Σ q x + m
/// Σ x.
@inline(__always)
func dotMinimumBlocks(
    _ operands: DotOperands, byteCount: Int, unpack: (_ blocks: BlockQuartet) -> WeightQuartet
) {
    dotBlocks(
        operands, byteCount: byteCount, activationByteCount: BlockQ8_1.byteCount, unpack: unpack,
        prepare: summedActivations,
        accumulate: { multiplyAdd($0.m, $1.s, addScaledProducts($0, $1, $2)) })
}

@inline(__always)
private func summedActivations(_ blocks: BlockQuartet) -> ActivationQuartet {
    let (low, high) = quants(blocks, BlockQ8_1.qs)
    let words = quartetWords(blocks)
    return (
        low, high, Bytes64(), quadrupledHalves(BlockQ8_1.d, of: words), spacedHalves(BlockQ8_1.s, of: words)
    )
}

// MARK: - Parts

/// `sum + Σ d · x.d · (offset + Σ q · x.q)`, spread over the lanes.
@inline(__always)
private func addScaledProducts(_ weights: WeightQuartet, _ x: ActivationQuartet, _ sum: Lanes) -> Lanes {
    let products = addProducts(addProducts(x.offset, weights.low, x.low), weights.high, x.high)
    return multiplyAdd(floats(products), weights.d * x.d, sum)
}

/// The first 16 and the last 16 bytes of each of four 32-byte blocks.
@inline(__always)
private func quants(_ blocks: BlockQuartet, _ offset: Int) -> (low: Bytes64, high: Bytes64) {
    let first = bytes64(block(0, of: blocks) + offset, block(1, of: blocks) + offset)
    let second = bytes64(block(2, of: blocks) + offset, block(3, of: blocks) + offset)
    return halves(first, second)
}

/// The first 16 and the last 16 bytes of each of four 32-byte pieces, two per vector.
@inline(__always)
func halves(_ first: Bytes64, _ second: Bytes64) -> (low: Bytes64, high: Bytes64) {
    let low = Bytes64(0, 1, 4, 5, 8, 9, 12, 13)
    return (
        _mm512_permutex2var_epi64(first, low, second),
        _mm512_permutex2var_epi64(first, low &+ Bytes64(repeating: 2), second)
    )
}
#endif
