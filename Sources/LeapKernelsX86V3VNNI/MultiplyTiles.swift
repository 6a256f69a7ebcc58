#if arch(x86_64)
import LeapBlocks
import _Builtin_intrinsics.intel

// The innermost loops of the level: 16 weight rows by 6 activation rows over one slab.
//
// `vpdpbusd` adds the products of four unsigned and four signed bytes to a 32-bit lane, so that all sums of a group are
// exact and fit. A zero point costs nothing: the sums start at −zero · Σ x.

/// Multiplies tiles of 256-element blocks with unsigned quants and integer scales:
///
///     sums += x.d · (d · Σ_g scale[g] · Σ (q − zero) · x.q − dmin · Σ_g minimum[g] · Σ x.q)
///
/// - Parameters:
///   - groupSize: Columns that share a scale, 16 or 32.
///   - zero: 0 where the format has minima.
@inline(__always)
func multiplySuperBlockTile(_ operands: TileOperands, groupSize: Int, zero: Int16, hasMinima: Bool) {
    let (weights, x) = (operands.weights, operands.activations)
    // There are not enough registers for two tiles: the float tile lies in memory.
    var memory = FloatTile()
    withUnsafeMutablePointer(to: &memory) { sums in
        let sums = UnsafeMutableRawPointer(sums).assumingMemoryBound(to: Float.self)
        for group in 0..<256 / groupSize {
            let scales = wholeScales(weights + (WeightTile.scales &+ group &* weightVectors))
            forEachByteProduct(weights, x, column: group &* groupSize, count: groupSize) {
                zero == 0 ? Bytes32() : start(x, group, zero: zero, row: $0)
            } _: { product, row in
                let place = sums + 16 &* row
                store(multiplyAdd(floats(product.a), scales.a, load(place)), to: place)
                store(multiplyAdd(floats(product.b), scales.b, load(place + 8)), to: place + 8)
            }
        }
        addSuperBlock(operands, sums, groupSize: groupSize, hasMinima: hasMinima)
    }
}

@inline(__always)
private func addSuperBlock(_ operands: TileOperands, _ sums: UnsafePointer<Float>, groupSize: Int, hasMinima: Bool) {
    let d = pairOfLanes(operands.weights + WeightTile.factors)
    if !hasMinima {
        for row in 0..<6 {
            let (scale, sum) = (number(operands.activations, ActivationTile.Q8_K.scale, row), sums + 16 &* row)
            operands.sums.add((load(sum) * d.a, load(sum + 8) * d.b), times: scale, row: row)
        }
        return
    }
    let groupSums = groupSize == 16 ? ActivationTile.Q8_K.halfSums : ActivationTile.Q8_K.sums
    let dmin = pairOfLanes(operands.weights + (WeightTile.factors &+ weightVectors))
    forEachWordProduct(
        operands.weights + WeightTile.minima, operands.activations + groupSums, steps: 128 / groupSize
    ) { minimum, row in
        let (scale, sum) = (number(operands.activations, ActivationTile.Q8_K.scale, row), sums + 16 &* row)
        let a = _mm256_fnmadd_ps(floats(minimum.a), dmin.a, load(sum) * d.a)
        let b = _mm256_fnmadd_ps(floats(minimum.b), dmin.b, load(sum + 8) * d.b)
        operands.sums.add((a, b), times: scale, row: row)
    }
}

/// Multiplies tiles of 32-element blocks with unsigned quants:
///
///     sums += Σ_g (x.d[g] · scale[g] · Σ (q − zero) · x.q + minimum[g] · x.s[g])
@inline(__always)
func multiplyBlockTile(_ operands: TileOperands, zero: Int16, hasMinima: Bool) {
    for block in 0..<operands.columns / 32 {
        forEachByteProduct(operands.weights, operands.activations, column: 32 &* block, count: 32) {
            zero == 0 ? Bytes32() : start(operands.activations, block, zero: zero, row: $0)
        } _: { product, row in
            addBlock(operands, block, product, row: row, hasMinima: hasMinima)
        }
    }
}

/// Multiplies tiles with unsigned quants and single-precision scales per group of 32, whose activations have one scale
/// for all groups.
@inline(__always)
func multiplyScaledGroupTile(_ operands: TileOperands, zero: Int16) {
    let x = operands.activations
    for group in 0..<8 {
        forEachByteProduct(operands.weights, x, column: 32 &* group, count: 32) { row in
            _mm256_add_epi32(
                start(x, 2 &* group, zero: zero, row: row), start(x, 2 &* group &+ 1, zero: zero, row: row))
        } _: { product, row in
            addBlock(operands, group, product, row: row, isSuperBlock: true, hasMinima: false)
        }
    }
}

// MARK: - Products

/// `−zero · Σ x` over the columns of a part.
@inline(__always)
private func start(_ x: UnsafeRawPointer, _ part: Int, zero: Int16, row: Int) -> Bytes32 {
    _mm256_madd_epi16(factor(x + ActivationTile.starts, part, row: row), _mm256_set1_epi16(zero))
}

/// Converts integer scales, which are stored in both halves of a lane, to single precision.
@inline(__always)
private func wholeScales(_ source: UnsafeRawPointer) -> LanesPair {
    (
        floats(_mm256_srai_epi32(bytes32(source), 16)),
        floats(_mm256_srai_epi32(bytes32(source + 32), 16))
    )
}

/// Floats for 16 weight rows by 6 activation rows.
private struct FloatTile {
    var row0 = zero, row1 = zero, row2 = zero, row3 = zero, row4 = zero, row5 = zero

    @inline(__always)
    private static var zero: LanesPair { (Lanes(repeating: 0), Lanes(repeating: 0)) }
}

// MARK: - The level's instructions

/// Adds the sums of four neighbouring products of unsigned and signed bytes to 32-bit lanes.
@inline(__always)
func addByteProducts(_ sum: Bytes32, _ unsigned: Bytes32, _ signed: Bytes32) -> Bytes32 {
    _mm256_dpbusd_avx_epi32(sum, unsigned, signed)
}

/// Adds the sums of two neighbouring products of 16-bit numbers to 32-bit lanes.
@inline(__always)
func addWordProducts(_ sum: Bytes32, _ weights: Bytes32, _ x: Bytes32) -> Bytes32 {
    _mm256_dpwssd_avx_epi32(sum, weights, x)
}

/// Unpacks rows of blocks of signed quants to unsigned bytes, by adding 128.
@inline(__always)
func unpackSignedTile(_ operands: SlabOperands, row: (_ source: UnsafeRawPointer, _ columns: Int) -> BlockRow) {
    unpackBlockTile(operands) { source, columns in
        var row = row(source, columns)
        let sign = splat(0x80)
        row.quants.0 ^= sign
        row.quants.1 ^= sign
        row.quants.2 ^= sign
        row.quants.3 ^= sign
        row.quants.4 ^= sign
        row.quants.5 ^= sign
        row.quants.6 ^= sign
        row.quants.7 ^= sign
        return row
    }
}
#endif
