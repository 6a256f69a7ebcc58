#if arch(x86_64)
import LeapBlocks
import _Builtin_intrinsics.intel

// The innermost loops of the engine: 16 weight rows by 6 activation rows over one slab.
//
// A byte multiplication gives sums of two products in 16 bits. Widening each of them to 32 bits would double the cost;
// instead they are accumulated in 16 bits, modulo 2¹⁶, for as many columns as the result is guaranteed to fit:
//
//     n columns of (q − z) · x, two lanes for each row    n / 2 · max |q − z| · 127 < 2¹⁵
//
// The zero point z makes most formats fit, and costs nothing: the sums start at −z · Σ x.

/// Multiplies tiles of 256-element blocks with unsigned quants and integer scales:
///
///     sums += x.d · (d · Σ_g scale[g] · Σ (q − zero) · x.q − dmin · Σ_g minimum[g] · Σ x.q)
///
/// - Parameters:
///   - groupSize: Columns that share a scale, 16 or 32.
///   - partSize: Columns whose sums fit 16 bits, 16 or 32.
///   - zero: 0 where the format has minima.
@inline(__always)
func multiplySuperBlockTile(
    _ operands: TileOperands, groupSize: Int, partSize: Int, zero: Int16, hasMinima: Bool
) {
    let (weights, x) = (operands.weights, operands.activations)
    // There are not enough registers for two integer tiles: the wider one lies in memory.
    var memory = WideTile()
    withUnsafeMutablePointer(to: &memory) { integers in
        let integers = UnsafeMutableRawPointer(integers).assumingMemoryBound(to: IntegerPair.self)
        for part in 0..<256 / partSize {
            let column = part &* partSize
            let scales = pair(weights + (WeightTile.scales &+ column / groupSize &* weightVectors))
            forEachByteProduct(weights, x, column: column, count: partSize) {
                zero == 0 ? Bytes32() : start(x, part, zero: zero, row: $0)
            } _: { product, row in
                let sum = integers[row]
                integers[row].a = _mm256_add_epi32(sum.a, _mm256_madd_epi16(product.a, scales.a))
                integers[row].b = _mm256_add_epi32(sum.b, _mm256_madd_epi16(product.b, scales.b))
            }
        }
        addSuperBlock(operands, integers, groupSize: groupSize, hasMinima: hasMinima)
    }
}

@inline(__always)
private func addSuperBlock(
    _ operands: TileOperands, _ integers: UnsafeMutablePointer<IntegerPair>, groupSize: Int, hasMinima: Bool
) {
    let d = pairOfLanes(operands.weights + WeightTile.factors)
    if !hasMinima {
        for row in 0..<6 {
            let scale = number(operands.activations, ActivationTile.Q8_K.scale, row)
            let sum = integers[row]
            operands.sums.add((floats(sum.a) * d.a, floats(sum.b) * d.b), times: scale, row: row)
        }
        return
    }
    let sums = groupSize == 16 ? ActivationTile.Q8_K.halfSums : ActivationTile.Q8_K.sums
    let dmin = pairOfLanes(operands.weights + (WeightTile.factors &+ weightVectors))
    forEachWordProduct(
        operands.weights + WeightTile.minima, operands.activations + sums, steps: 128 / groupSize
    ) { minimum, row in
        let scale = number(operands.activations, ActivationTile.Q8_K.scale, row)
        let sum = integers[row]
        let a = _mm256_fnmadd_ps(floats(minimum.a), dmin.a, floats(sum.a) * d.a)
        let b = _mm256_fnmadd_ps(floats(minimum.b), dmin.b, floats(sum.b) * d.b)
        operands.sums.add((a, b), times: scale, row: row)
    }
}

/// Multiplies tiles of 32-element blocks with unsigned quants:
///
///     sums += Σ_g (x.d[g] · scale[g] · Σ (q − zero) · x.q + minimum[g] · x.s[g])
///
/// - Parameter raise: Subtracted from the quants so that sums fit 16 bits, and compensated afterwards: for formats with
///   minima instead of a zero point.
@inline(__always)
func multiplyBlockTile(_ operands: TileOperands, zero: Int16, raise: Int16, hasMinima: Bool) {
    let (weights, x) = (operands.weights, operands.activations)
    let offset = zero &+ raise
    for block in 0..<operands.columns / 32 {
        forEachByteProduct(weights, x, column: 32 &* block, count: 32) {
            offset == 0 ? Bytes32() : start(x, block, zero: offset, row: $0)
        } _: { product, row in
            let raised = raise == 0 ? Bytes32() : addedBack(raise, x, block, row: row)
            let a = _mm256_add_epi32(raised, _mm256_madd_epi16(product.a, splat16(1)))
            let b = _mm256_add_epi32(raised, _mm256_madd_epi16(product.b, splat16(1)))
            addBlock(operands, block, (a, b), row: row, hasMinima: hasMinima)
        }
    }
}

// MARK: - Products

/// `−zero · Σ x` over those columns of a part that accumulate in one lane.
@inline(__always)
private func start(_ x: UnsafeRawPointer, _ part: Int, zero: Int16, row: Int) -> Bytes32 {
    _mm256_mullo_epi16(factor(x + ActivationTile.starts, part, row: row), _mm256_set1_epi16(zero))
}

/// `raise · Σ x` over the columns of a block.
@inline(__always)
private func addedBack(_ raise: Int16, _ x: UnsafeRawPointer, _ block: Int, row: Int) -> Bytes32 {
    _mm256_madd_epi16(factor(x + ActivationTile.starts, block, row: row), _mm256_set1_epi16(-raise))
}

/// 32-bit sums of 16 weight rows by 6 activation rows.
private struct WideTile {
    var row0 = zero, row1 = zero, row2 = zero, row3 = zero, row4 = zero, row5 = zero

    @inline(__always)
    private static var zero: IntegerPair { (Bytes32(), Bytes32()) }
}

/// Adds the sums of two neighbouring products of unsigned and signed bytes to 16-bit lanes.
@inline(__always)
func addByteProducts(_ sum: Bytes32, _ unsigned: Bytes32, _ signed: Bytes32) -> Bytes32 {
    _mm256_add_epi16(sum, _mm256_maddubs_epi16(unsigned, signed))
}

/// Unpacks rows of blocks of signed quants, whose products would not fit 16 bits, to 16-bit numbers for
/// ``multiplyWordTile``.
@inline(__always)
func unpackSignedTile(_ operands: SlabOperands, row: (_ source: UnsafeRawPointer, _ columns: Int) -> BlockRow) {
    unpackWordTile(operands, row: row)
}

/// Adds the sums of two neighbouring products of 16-bit numbers to 32-bit lanes.
@inline(__always)
func addWordProducts(_ sum: Bytes32, _ weights: Bytes32, _ x: Bytes32) -> Bytes32 {
    _mm256_add_epi32(sum, _mm256_madd_epi16(weights, x))
}
#endif
