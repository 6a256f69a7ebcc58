#if arch(arm64)
import LeapBlocks
import _Builtin_intrinsics.arm.neon

/// The quants of four blocks.
typealias QuartetOfQuants = (Quants32, Quants32, Quants32, Quants32)

/// Four blocks of weights: quants, one scale per block, and one minimum per block if the format has minima.
typealias WeightQuartet = (quants: QuartetOfQuants, d: SIMD4<Float>, m: SIMD4<Float>)

/// Four blocks of activations: quants; zero · Σ q of each block, to be subtracted from the products; one scale per
/// block, and the sum of each block's values if the weights have minima.
typealias ActivationQuartet = (quants: QuartetOfQuants, offsets: Words, d: SIMD4<Float>, s: SIMD4<Float>)

/// Dot products of rows of blocks `d · (q − zero)` with `Q8_0` activations.
@inline(__always)
func dotOffsetBlocks(
    _ operands: DotOperands, byteCount: Int, zero: Int8, unpack: (_ blocks: BlockQuartet) -> WeightQuartet
) {
    dotBlocks(
        operands, byteCount: byteCount, activationByteCount: BlockQ8_0.byteCount, unpack: unpack,
        prepare: { offsetActivations($0, zero: zero) }, accumulate: addScaledProducts)
}

@inline(__always)
private func offsetActivations(_ blocks: BlockQuartet, zero: Int8) -> ActivationQuartet {
    let x = quartet(blocks) { quants($0 + BlockQ8_0.qs) }
    let zeros = vdupq_n_s8(zero)
    let offsets = products(x, ((zeros, zeros), (zeros, zeros), (zeros, zeros), (zeros, zeros)))
    return (x, offsets, halves(BlockQ8_0.d, of: blocks), SIMD4(repeating: 0))
}

/// Dot products of rows of blocks `d · q + m` with `Q8_1` activations: Σ (d q + m) x = d Σ q x + m Σ x.
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
    let x = quartet(blocks) { quants($0 + BlockQ8_1.qs) }
    return (x, Words(repeating: 0), halves(BlockQ8_1.d, of: blocks), halves(BlockQ8_1.s, of: blocks))
}

// MARK: - Parts

/// Reads each of four blocks with `quants`.
@inline(__always)
func quartet(_ blocks: BlockQuartet, _ quants: (_ block: UnsafeRawPointer) -> Quants32) -> QuartetOfQuants {
    (
        quants(block(0, of: blocks)), quants(block(1, of: blocks)),
        quants(block(2, of: blocks)), quants(block(3, of: blocks))
    )
}

/// The half-precision numbers at an offset in each block; 0 for blocks that do not exist.
@inline(__always)
func halves(_ offset: Int, of blocks: BlockQuartet) -> SIMD4<Float> {
    let bits = SIMD4(
        halfBits(block(0, of: blocks) + offset), halfBits(block(1, of: blocks) + offset),
        halfBits(block(2, of: blocks) + offset), halfBits(block(3, of: blocks) + offset))
    return existing(floats(halves: bits), of: blocks)
}

@inline(__always)
private func halfBits(_ source: UnsafeRawPointer) -> UInt16 { source.loadUnaligned(as: UInt16.self) }

/// The dot products of four blocks, one per lane.
@inline(__always)
private func products(_ a: QuartetOfQuants, _ b: QuartetOfQuants) -> Words {
    totals(product(a.0, b.0), product(a.1, b.1), product(a.2, b.2), product(a.3, b.3))
}

@inline(__always)
private func product(_ a: Quants32, _ b: Quants32) -> Words {
    addProducts(addProducts(Words(repeating: 0), a.0, b.0), a.1, b.1)
}

/// `sum + d · x.d · (Σ q · x.q − offset)`, one block per lane.
@inline(__always)
private func addScaledProducts(_ weights: WeightQuartet, _ x: ActivationQuartet, _ sum: Lanes) -> Lanes {
    let products = vsubq_s32(products(weights.quants, x.quants), x.offsets)
    return multiplyAdd(vcvtq_f32_s32(products), weights.d * x.d, sum)
}

@inline(__always)
private func addScaledProductsAndMinima(_ weights: WeightQuartet, _ x: ActivationQuartet, _ sum: Lanes) -> Lanes {
    multiplyAdd(weights.m, x.s, addScaledProducts(weights, x, sum))
}
#endif
