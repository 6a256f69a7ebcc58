#if arch(arm64)
import LeapBlocks
import _Builtin_intrinsics.arm.neon

// Shared by the 256-element formats: quants with a scale per group of 16, whose products with the activations are exact
// integers, and either a zero point or minima, which multiply the activations' group sums. A group fills a vector, so
// that four groups have their sums in the four lanes of one.

/// The 16 group scales of a block.
typealias GroupScales = (Words, Words, Words, Words)

/// 16 16-bit factors for the activations' group sums.
typealias GroupFactors = (SIMD8<Int16>, SIMD8<Int16>)

@inline(__always)
func groupScales(_ scales: SignedBytes) -> GroupScales {
    let (low, high) = groupFactors(scales)
    return (
        vmovl_s16(vget_low_s16(low)), vmovl_s16(vget_high_s16(low)),
        vmovl_s16(vget_low_s16(high)), vmovl_s16(vget_high_s16(high))
    )
}

@inline(__always)
func groupFactors(_ factors: SignedBytes) -> GroupFactors {
    (vmovl_s8(vget_low_s8(factors)), vmovl_s8(vget_high_s8(factors)))
}

/// `Σ_k q[k] · scale[k / 16] · x.q[k]`, spread over the lanes, for a `Q8_K` block `x`.
@inline(__always)
func scaledSum(_ quants: Quants256, _ scales: GroupScales, _ activations: UnsafeRawPointer) -> Words {
    let x = activations + BlockQ8_K.qs
    var sum = vmulq_s32(groupProducts(quants.0, x), scales.0)
    sum = vmlaq_s32(sum, groupProducts(quants.1, x + 64), scales.1)
    sum = vmlaq_s32(sum, groupProducts(quants.2, x + 128), scales.2)
    return vmlaq_s32(sum, groupProducts(quants.3, x + 192), scales.3)
}

/// The dot products of four groups, one per lane.
@inline(__always)
private func groupProducts(_ quants: Quants64, _ x: UnsafeRawPointer) -> Words {
    let zero = Words(repeating: 0)
    return totals(
        addProducts(zero, quants.0, signedBytes(x)), addProducts(zero, quants.1, signedBytes(x + 16)),
        addProducts(zero, quants.2, signedBytes(x + 32)), addProducts(zero, quants.3, signedBytes(x + 48)))
}

/// `Σ_g factor[g] · x.bsums[g]`, spread over the lanes.
@inline(__always)
func groupSum(_ factors: GroupFactors, _ activations: UnsafeRawPointer) -> Words {
    let sums = activations + BlockQ8_K.bsums
    let low = sums.loadUnaligned(as: SIMD8<Int16>.self)
    let high = sums.loadUnaligned(fromByteOffset: 16, as: SIMD8<Int16>.self)
    var sum = vmull_s16(vget_low_s16(factors.0), vget_low_s16(low))
    sum = vmlal_s16(sum, vget_high_s16(factors.0), vget_high_s16(low))
    sum = vmlal_s16(sum, vget_low_s16(factors.1), vget_low_s16(high))
    return vmlal_s16(sum, vget_high_s16(factors.1), vget_high_s16(high))
}

/// The scale of a `Q8_K` block.
@inline(__always)
func activationScale(_ activations: UnsafeRawPointer) -> Float {
    activations.loadUnaligned(fromByteOffset: BlockQ8_K.d, as: Float.self)
}

// MARK: - Blocks with a zero point

/// Dot products of rows of blocks `d · scale · (q − zero)`.
@inline(__always)
func dotOffsetSuperBlocks(
    _ operands: DotOperands, byteCount: Int, zero: Int32, unpack: (_ block: UnsafeRawPointer) -> OffsetSuperBlock
) {
    dotSuperBlocks(operands, byteCount: byteCount, unpack: unpack) { weights, activations, sum in
        let products = scaledSum(weights.quants, groupScales(weights.scales), activations)
        let offset = groupSum(groupFactors(weights.scales), activations)
        let integers = vmlsq_s32(products, offset, vdupq_n_s32(zero))
        return multiplyAdd(vcvtq_f32_s32(integers), Lanes(repeating: weights.d * activationScale(activations)), sum)
    }
}

// MARK: - Blocks with minima

/// Dot products of rows of blocks `d · scale · q − dmin · min`.
@inline(__always)
func dotMinimumSuperBlocks(
    _ operands: DotOperands, byteCount: Int, unpack: (_ block: UnsafeRawPointer) -> MinimumSuperBlock
) {
    dotSuperBlocks(operands, byteCount: byteCount, unpack: unpack) { weights, activations, sum in
        let products = scaledSum(weights.quants, groupScales(weights.scales), activations)
        let minima = groupSum(groupFactors(weights.minima), activations)
        let scale = activationScale(activations)
        let sum = multiplyAdd(vcvtq_f32_s32(products), Lanes(repeating: weights.d * scale), sum)
        return vfmsq_f32(sum, vcvtq_f32_s32(minima), Lanes(repeating: weights.dmin * scale))
    }
}
#endif
