#if arch(x86_64)
import LeapBlocks
import _Builtin_intrinsics.intel

// Shared by the 256-element formats: quants with a scale per group of 16, whose products with the activations are exact
// integers, and either a zero point or minima, which multiply the activations' group sums.

/// The quants of a block: eight vectors of 32, in element order.
typealias Quants256 = (Bytes32, Bytes32, Bytes32, Bytes32, Bytes32, Bytes32, Bytes32, Bytes32)

/// Merges an upper bit into the quants at bit position `place`: bit `i` of the bytes of `high` into vector `i`.
@inline(__always)
func join(_ low: Quants256, _ high: Bytes32, at place: Int32) -> Quants256 {
    (
        low.0 | bit(0, of: high, movedTo: place), low.1 | bit(1, of: high, movedTo: place),
        low.2 | bit(2, of: high, movedTo: place), low.3 | bit(3, of: high, movedTo: place),
        low.4 | bit(4, of: high, movedTo: place), low.5 | bit(5, of: high, movedTo: place),
        low.6 | bit(6, of: high, movedTo: place), low.7 | bit(7, of: high, movedTo: place)
    )
}

// MARK: - Scales

/// The 16 group scales of a block in 16-bit lanes: even groups in the lower half, odd groups in the upper, because the
/// two groups of a vector of 32 quants lie in its two halves.
typealias SpreadScales = Bytes32

/// 16 unsigned or signed bytes in that order, not yet widened.
@inline(__always)
func evenThenOdd(_ scales: Bytes16) -> Bytes16 {
    _mm_shuffle_epi8(scales, Bytes16(0x0E0C_0A08_0604_0200, 0x0F0D_0B09_0705_0301))
}

/// The scales of the two groups in vector `index`, each in the half of its group.
@inline(__always)
private func groupScales(_ index: Int64, of scales: SpreadScales) -> Bytes32 {
    let bytes = (2 &* index) | (2 &* index &+ 1) &<< 8
    return _mm256_shuffle_epi8(scales, splat16(bytes))
}

/// `initial + Σ_k q[k] · scale[k / 16] · x.q[k]`, spread over 32-bit lanes, for a `Q8_K` block `x`; `product` returns
/// the sums of two byte products in 16-bit lanes.
@inline(__always)
func scaledSum(
    _ quants: Quants256, _ scales: SpreadScales, _ activations: UnsafeRawPointer, adding initial: Bytes32,
    product: (_ quants: Bytes32, _ x: Bytes32) -> Bytes32
) -> Bytes32 {
    func scaled(_ index: Int, _ quants: Bytes32) -> Bytes32 {
        let x = bytes32(activations + (BlockQ8_K.qs + 32 * index))
        return _mm256_madd_epi16(product(quants, x), groupScales(Int64(index), of: scales))
    }
    let a = _mm256_add_epi32(scaled(0, quants.0), scaled(1, quants.1))
    let b = _mm256_add_epi32(scaled(2, quants.2), scaled(3, quants.3))
    let c = _mm256_add_epi32(scaled(4, quants.4), scaled(5, quants.5))
    let d = _mm256_add_epi32(scaled(6, quants.6), scaled(7, quants.7))
    return _mm256_add_epi32(_mm256_add_epi32(initial, _mm256_add_epi32(a, b)), _mm256_add_epi32(c, d))
}

// MARK: - Group sums

/// `Σ_g factor[g] · x.bsums[g]`, spread over 32-bit lanes, for 16 factors of 16 bits each.
@inline(__always)
func groupSum(_ factors: Bytes32, _ activations: UnsafeRawPointer) -> Bytes32 {
    _mm256_madd_epi16(factors, bytes32(activations + BlockQ8_K.bsums))
}

/// The scale of a `Q8_K` block.
@inline(__always)
func activationScale(_ activations: UnsafeRawPointer) -> Float {
    activations.loadUnaligned(fromByteOffset: BlockQ8_K.d, as: Float.self)
}

// MARK: - Blocks with a zero point

/// A block of weights `d · scale · (q − zero)`; `offsets` are `−zero · scale[g]`.
typealias OffsetSuperBlock = (quants: Quants256, scales: SpreadScales, offsets: Bytes32, d: Float)

/// Makes such a block from 16 scales that are signed bytes.
@inline(__always)
func offsetSuperBlock(_ quants: Quants256, scales: Bytes16, zero: Int16, d: Float) -> OffsetSuperBlock {
    let offsets = _mm256_mullo_epi16(_mm256_cvtepi8_epi16(scales), _mm256_set1_epi16(-zero))
    return (quants, _mm256_cvtepi8_epi16(evenThenOdd(scales)), offsets, d)
}

/// Dot products of rows of such blocks.
@inline(__always)
func dotOffsetSuperBlocks(
    _ operands: DotOperands, byteCount: Int, unpack: (_ block: UnsafeRawPointer) -> OffsetSuperBlock
) {
    dotSuperBlocks(operands, byteCount: byteCount, unpack: unpack, accumulate: accumulate)
}

@inline(__always)
private func accumulate(_ weights: OffsetSuperBlock, _ activations: UnsafeRawPointer, _ sum: Lanes) -> Lanes {
    let offset = groupSum(weights.offsets, activations)
    let product = scaledSum(weights.quants, weights.scales, activations, adding: offset) {
        _mm256_maddubs_epi16($0, $1)
    }
    return multiplyAdd(floats(product), Lanes(repeating: weights.d * activationScale(activations)), sum)
}

// MARK: - Blocks with minima

/// A block of weights `d · scale · q − dmin · min`.
typealias MinimumSuperBlock = (quants: Quants256, scales: SpreadScales, minima: Bytes32, d: Float, dmin: Float)

/// Dot products of rows of such blocks.
@inline(__always)
func dotMinimumSuperBlocks(
    _ operands: DotOperands, byteCount: Int, unpack: (_ block: UnsafeRawPointer) -> MinimumSuperBlock
) {
    dotSuperBlocks(operands, byteCount: byteCount, unpack: unpack, accumulate: accumulate)
}

@inline(__always)
private func accumulate(_ weights: MinimumSuperBlock, _ activations: UnsafeRawPointer, _ sum: Lanes) -> Lanes {
    let product = scaledSum(weights.quants, weights.scales, activations, adding: Bytes32()) {
        _mm256_maddubs_epi16($0, $1)
    }
    let minimum = groupSum(weights.minima, activations)
    let scale = activationScale(activations)
    let sum = multiplyAdd(floats(product), Lanes(repeating: weights.d * scale), sum)
    return _mm256_fnmadd_ps(floats(minimum), Lanes(repeating: weights.dmin * scale), sum)
}
#endif
