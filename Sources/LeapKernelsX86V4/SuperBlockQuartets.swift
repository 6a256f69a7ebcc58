#if arch(x86_64)
import LeapBlocks
import _Builtin_intrinsics.intel

// Four rows of 256-element blocks at a time. What the rows have in common is done for all four at once: their scales
// are unpacked in the four quarters of a vector, and their products share one conversion and one factor.

/// The sums of four rows with one column: products in lanes `abcd abcd abcd abcd`, minima in `aaaa bbbb cccc dddd`.
typealias QuartetSums = (products: Lanes, minima: Lanes)

/// A block's worth of four rows: quants and spread scales of each, the factors in the order of ``QuartetSums``, and
/// the minima of the 8 groups, if any, in a quarter for each row.
typealias SuperBlockQuartet = (
    quants: (Quants256, Quants256, Quants256, Quants256),
    scales: (SpreadScales, SpreadScales, SpreadScales, SpreadScales),
    d: Lanes, minima: Bytes64, dmin: Lanes
)

/// The blocks of four rows.
typealias BlockAddresses = (a: UnsafeRawPointer, b: UnsafeRawPointer, c: UnsafeRawPointer, d: UnsafeRawPointer)

/// A block of activations: quants in the order of the weights', what the sums of four products start from, the sums of
/// the 8 groups in every quarter where weights have minima, and the scale.
typealias SuperActivations = (quants: Quants256, start: Quants256, sums: Bytes64, d: Lanes)

// MARK: - Rows and columns

/// Dot products of rows of 256-element blocks; see `DotKernel`. Weights are unpacked once for up to 8 columns.
@inline(__always)
func dotQuartets(
    _ operands: DotOperands, byteCount: Int, unpack: (_ blocks: BlockAddresses) -> SuperBlockQuartet,
    prepare: (_ block: UnsafeRawPointer) -> SuperActivations
) {
    func weights(_ rows: RowQuartet, _ index: Int) -> SuperBlockQuartet {
        let offset = index &* byteCount
        return unpack((rows.a + offset, rows.b + offset, rows.c + offset, rows.d + offset))
    }
    func activations(_ column: Int, _ index: Int) -> SuperActivations {
        prepare(operands.activations + (column &* operands.activationStride &+ index &* BlockQ8_K.byteCount))
    }
    if operands.columns == 1 {
        forEachRowQuartet(operands) { rows in
            var sums = noSums
            for index in 0..<operands.blocks { sums = add(weights(rows, index), activations(0, index), to: sums) }
            store(total(sums), rows, column: 0, operands)
        }
        return
    }
    forEachRowQuartet(operands) { rows in
        for first in stride(from: 0, to: operands.columns, by: 8) {
            let count = min(8, operands.columns &- first)
            withColumnSums { sums in
                for index in 0..<operands.blocks {
                    let weights = weights(rows, index)
                    for i in 0..<count { sums[i] = add(weights, activations(first &+ i, index), to: sums[i]) }
                }
                for i in 0..<count { store(total(sums[i]), rows, column: first &+ i, operands) }
            }
        }
    }
}

@inline(__always)
private var noSums: QuartetSums { (Lanes(repeating: 0), Lanes(repeating: 0)) }

/// Calls `body` with the sums of 8 columns, all 0.
@inline(__always)
private func withColumnSums(_ body: (_ sums: UnsafeMutablePointer<QuartetSums>) -> Void) {
    var sums = (noSums, noSums, noSums, noSums, noSums, noSums, noSums, noSums)
    withUnsafeMutablePointer(to: &sums) {
        body(UnsafeMutableRawPointer($0).assumingMemoryBound(to: QuartetSums.self))
    }
}

/// The factors are applied one after the other: the compiler would compute the product of each two by itself.
@inline(__always)
private func add(_ w: SuperBlockQuartet, _ x: SuperActivations, to sums: QuartetSums) -> QuartetSums {
    let products = alternating(
        scaledSum(w.quants.0, w.scales.0, x.quants, from: x.start),
        scaledSum(w.quants.1, w.scales.1, x.quants, from: x.start),
        scaledSum(w.quants.2, w.scales.2, x.quants, from: x.start),
        scaledSum(w.quants.3, w.scales.3, x.quants, from: x.start))
    let minima = _mm512_madd_epi16(w.minima, x.sums)
    return (
        multiplyAdd(floats(products) * w.d, x.d, sums.products),
        multiplyAdd(floats(minima) * w.dmin, x.d, sums.minima)
    )
}

@inline(__always)
private func total(_ sums: QuartetSums) -> SIMD4<Float> {
    sumOfQuarters(sums.products) - sumsWithinQuarters(sums.minima)
}

// MARK: - Six-bit scales and minima

/// Dot products of rows of blocks that begin like `Q4_K`'s; `quants` reads those of a block, with the groups of 32 in
/// the order 0 2, 1 3, 4 6, 5 7.
@inline(__always)
func dotSixBitSuperBlocks(_ operands: DotOperands, byteCount: Int, quants: (_ block: UnsafeRawPointer) -> Quants256) {
    dotQuartets(
        operands, byteCount: byteCount,
        unpack: { blocks in
            let headers = quarters(bytes16(blocks.a), bytes16(blocks.b), bytes16(blocks.c), bytes16(blocks.d))
            let groups = sixBitScales(headers)
            let scales = _mm512_unpacklo_epi8(groups, Bytes64())
            let factors = factors(headers)
            return (
                (quants(blocks.a), quants(blocks.b), quants(blocks.c), quants(blocks.d)),
                (doubled(scales, 0), doubled(scales, 1), doubled(scales, 2), doubled(scales, 3)),
                evenLanes(factors), _mm512_unpackhi_epi8(groups, Bytes64()), oddLanesInQuarters(factors)
            )
        },
        prepare: { block in
            let x = block + BlockQ8_K.qs
            let quants = (
                bytes64(x, x + 64), bytes64(x + 32, x + 96), bytes64(x + 128, x + 192), bytes64(x + 160, x + 224)
            )
            return (quants, noStart, pairedSums(block), Lanes(repeating: activationScale(block)))
        })
}

@inline(__always)
private var noStart: Quants256 { (Bytes64(), Bytes64(), Bytes64(), Bytes64()) }

/// `d` and `dmin` of each row, from the blocks' first 16 bytes, in the first eight lanes.
@inline(__always)
private func factors(_ headers: Bytes64) -> Lanes {
    let firstWords = _mm512_permutexvar_epi32(Bytes64(0x4_0000_0000, 0xC_0000_0008, 0, 0, 0, 0, 0, 0), headers)
    return _mm512_cvtph_ps(_mm512_castsi512_si256(firstWords))
}

/// Lanes 0, 2, 4 and 6 in every quarter.
@inline(__always)
private func evenLanes(_ factors: Lanes) -> Lanes {
    _mm512_permutexvar_ps(inEveryQuarter(Bytes16(0x2_0000_0000, 0x6_0000_0004)), factors)
}

/// Lanes 1, 3, 5 and 7, each in a quarter.
@inline(__always)
private func oddLanesInQuarters(_ factors: Lanes) -> Lanes {
    _mm512_permutexvar_ps(Bytes64(1, 1, 3, 3, 5, 5, 7, 7) &* Bytes64(repeating: 0x1_0000_0001), factors)
}

/// The 8 scales of row `index`, each for two groups.
@inline(__always)
private func doubled(_ scales: Bytes64, _ index: Int64) -> SpreadScales {
    let lower = quadruple(0, 1, 0, 1, 2, 3, 2, 3) &+ splat16(8 &* index)
    return (_mm512_permutexvar_epi16(lower, scales), _mm512_permutexvar_epi16(lower &+ splat16(4), scales))
}

/// The sums of the eight groups of 32 of a `Q8_K` block, in every quarter.
@inline(__always)
private func pairedSums(_ activations: UnsafeRawPointer) -> Bytes64 {
    let sums = activations + BlockQ8_K.bsums
    return inEveryQuarter(_mm_hadd_epi16(bytes16(sums), bytes16(sums + 16)))
}

/// The 8 scales and then the 8 minima of a block in every quarter; `SixBitScales.swift` says where they come from.
@inline(__always)
private func sixBitScales(_ headers: Bytes64) -> Bytes64 {
    let low = _mm512_srlv_epi32(
        _mm512_shuffle_epi8(headers, words(1, 3, 2, 3)), inEveryQuarter(Bytes16(0, 4 &<< 32)))
    let high = _mm512_srli_epi32(_mm512_shuffle_epi8(headers, words(0, 1, 0, 2)), 2)
    return low & inEveryQuarter(Bytes16(0x0F0F_0F0F_3F3F_3F3F, 0x0F0F_0F0F_3F3F_3F3F))
        | high & inEveryQuarter(Bytes16(0x3030_3030_0000_0000, 0x3030_3030_0000_0000))
}

/// The places of the bytes of four 32-bit words of each quarter.
@inline(__always)
private func words(_ a: Int64, _ b: Int64, _ c: Int64, _ d: Int64) -> Bytes64 {
    let bytes = Int64(0x0302_0100_0302_0100)
    let four = Int64(0x0404_0404)
    return inEveryQuarter(Bytes16(bytes &+ (a | b &<< 32) &* four, bytes &+ (c | d &<< 32) &* four))
}

// MARK: - Sixteen scales and a zero point

/// Dot products of rows of blocks `d · scale · (q − zero)`.
///
/// - Parameters:
///   - d: The byte offset of the factor.
///   - quants: Reads the unsigned quants of a block in element order, up to 63.
///   - scales: Reads its 16 scales.
@inline(__always)
func dotOffsetSuperBlocks(
    _ operands: DotOperands, byteCount: Int, zero: UInt8, d: Int, quants: (_ block: UnsafeRawPointer) -> Quants256,
    scales: (_ block: UnsafeRawPointer) -> Bytes32
) {
    dotQuartets(
        operands, byteCount: byteCount,
        unpack: { blocks in
            (
                (quants(blocks.a), quants(blocks.b), quants(blocks.c), quants(blocks.d)),
                (
                    spreadScales(scales(blocks.a)), spreadScales(scales(blocks.b)),
                    spreadScales(scales(blocks.c)), spreadScales(scales(blocks.d))
                ),
                unsafeBitCast(inEveryQuarter(halves(d, of: blocks)), to: Lanes.self), Bytes64(), Lanes(repeating: 0)
            )
        },
        prepare: { block in
            let x = block + BlockQ8_K.qs
            let quants = (bytes64(x), bytes64(x + 64), bytes64(x + 128), bytes64(x + 192))
            return (quants, zeroPoints(quants, zero), Bytes64(), Lanes(repeating: activationScale(block)))
        })
}

/// The half-precision numbers at an offset in each block, as floats.
@inline(__always)
private func halves(_ offset: Int, of blocks: BlockAddresses) -> Bytes16 {
    let bits = SIMD4(
        (blocks.a + offset).loadUnaligned(as: UInt16.self), (blocks.b + offset).loadUnaligned(as: UInt16.self),
        (blocks.c + offset).loadUnaligned(as: UInt16.self), (blocks.d + offset).loadUnaligned(as: UInt16.self))
    return unsafeBitCast(floats(halves: bits), to: Bytes16.self)
}

/// `−zero · Σ x` over every four activations.
@inline(__always)
private func zeroPoints(_ x: Quants256, _ zero: UInt8) -> Quants256 {
    (zeroPoint(x.0, zero), zeroPoint(x.1, zero), zeroPoint(x.2, zero), zeroPoint(x.3, zero))
}

@inline(__always)
private func zeroPoint(_ x: Bytes64, _ zero: UInt8) -> Bytes64 {
    _mm512_sub_epi32(Bytes64(), addProducts(Bytes64(), splat(zero), x))
}

// MARK: - Parts

/// Four vectors of 16 bytes.
@inline(__always)
private func quarters(_ a: Bytes16, _ b: Bytes16, _ c: Bytes16, _ d: Bytes16) -> Bytes64 {
    join(_mm256_set_m128i(b, a), _mm256_set_m128i(d, c))
}

@inline(__always)
private func inEveryQuarter(_ bytes: Bytes16) -> Bytes64 { _mm512_broadcast_i32x4(bytes) }

/// The sums of every fourth of the 32-bit lanes of four vectors, in lanes `abcd abcd abcd abcd`.
@inline(__always)
private func alternating(_ a: Bytes64, _ b: Bytes64, _ c: Bytes64, _ d: Bytes64) -> Bytes64 {
    let ab = _mm512_add_epi32(_mm512_unpacklo_epi32(a, b), _mm512_unpackhi_epi32(a, b))
    let cd = _mm512_add_epi32(_mm512_unpacklo_epi32(c, d), _mm512_unpackhi_epi32(c, d))
    return _mm512_add_epi32(_mm512_unpacklo_epi64(ab, cd), _mm512_unpackhi_epi64(ab, cd))
}

/// The sum of each quarter's four lanes.
@inline(__always)
private func sumsWithinQuarters(_ lanes: Lanes) -> SIMD4<Float> {
    let (a, b, c, d) = unsafeBitCast(lanes, to: Quarters.self)
    return _mm_hadd_ps(_mm_hadd_ps(a, b), _mm_hadd_ps(c, d))
}
#endif
