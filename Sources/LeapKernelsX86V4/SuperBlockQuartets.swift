#if arch(x86_64)
import LeapBlocks
import _Builtin_intrinsics.intel

// Four rows of 256-element blocks at a time. Work common to the rows is done for all four at once: their scales are
// unpacked in the four quarters of a vector, and their products share one conversion and one factor.

/// The sums of four rows with one column.
///
/// A block's contribution is an exact integer until it is multiplied by the block's scales.
typealias QuartetSums = (products: SIMD4<Float>, minima: SIMD4<Float>)

/// One block of each of four rows: quants and spread scales of each, their factors, and the minima, if any, of 8 or 16
/// groups, two per lane, as `abcd abcd abcd abcd`; of 16 groups, the first 8 and then the last 8.
typealias SuperBlockQuartet = (
    quants: (Quants256, Quants256, Quants256, Quants256),
    scales: (SpreadScales, SpreadScales, SpreadScales, SpreadScales),
    d: SIMD4<Float>, minima: (Bytes64, Bytes64), dmin: SIMD4<Float>
)

/// The blocks of four rows.
typealias BlockAddresses = (a: UnsafeRawPointer, b: UnsafeRawPointer, c: UnsafeRawPointer, d: UnsafeRawPointer)

/// A block of activations: quants in the weights' order, the initial values of the sums of four products, the sums of
/// two groups in each lane of a quarter if the weights have minima, and the scale.
typealias SuperActivations = (quants: Quants256, start: Quants256, sums: (Bytes64, Bytes64), d: SIMD4<Float>)

// MARK: - Rows and columns

/// Dot products of rows of 256-element blocks; see `DotKernel`. Weights are unpacked once for up to 8 columns.
///
/// - Parameters:
///   - byteCount: Bytes of a block.
///   - unpack: Reads a block of each of four rows into registers.
///   - prepare: Reads a `Q8_K` block into registers.
///   - add: Adds the products of what these two return; ``addGroups(_:_:_:)`` for one scale per group of 16.
@inline(__always)
func dotQuartets<Weights, Activations>(
    _ operands: DotOperands, byteCount: Int, unpack: (_ blocks: BlockAddresses) -> Weights,
    prepare: (_ block: UnsafeRawPointer) -> Activations,
    add: (_ weights: Weights, _ activations: Activations, _ sums: QuartetSums) -> QuartetSums
) {
    func weights(_ rows: RowQuartet, _ index: Int) -> Weights {
        let offset = index &* byteCount
        prefetchAhead(of: rows.a + offset, byteCount)
        prefetchAhead(of: rows.b + offset, byteCount)
        prefetchAhead(of: rows.c + offset, byteCount)
        prefetchAhead(of: rows.d + offset, byteCount)
        return unpack((rows.a + offset, rows.b + offset, rows.c + offset, rows.d + offset))
    }
    func activations(_ column: Int, _ index: Int) -> Activations {
        prepare(operands.activations + (column &* operands.activationStride &+ index &* BlockQ8_K.byteCount))
    }
    if operands.columns == 1 {
        forEachRowQuartet(operands) { rows in
            var sums = noSums
            for index in 0..<operands.blocks { sums = add(weights(rows, index), activations(0, index), sums) }
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
                    for i in 0..<count { sums[i] = add(weights, activations(first &+ i, index), sums[i]) }
                }
                for i in 0..<count { store(total(sums[i]), rows, column: first &+ i, operands) }
            }
        }
    }
}

@inline(__always)
private var noSums: QuartetSums { (SIMD4(repeating: 0), SIMD4(repeating: 0)) }

/// Calls `body` with the sums of 8 columns, all 0.
@inline(__always)
private func withColumnSums(_ body: (_ sums: UnsafeMutablePointer<QuartetSums>) -> Void) {
    var sums = (noSums, noSums, noSums, noSums, noSums, noSums, noSums, noSums)
    withUnsafeMutablePointer(to: &sums) {
        body(UnsafeMutableRawPointer($0).assumingMemoryBound(to: QuartetSums.self))
    }
}

/// Adds the products of blocks with one scale per group of 16.
///
/// The factors are applied one after the other; otherwise the compiler would compute the product of every two
/// separately.
@inline(__always)
func addGroups(_ w: SuperBlockQuartet, _ x: SuperActivations, _ sums: QuartetSums) -> QuartetSums {
    let products = alternating(
        scaledSum(w.quants.0, w.scales.0, x.quants, from: x.start),
        scaledSum(w.quants.1, w.scales.1, x.quants, from: x.start),
        scaledSum(w.quants.2, w.scales.2, x.quants, from: x.start),
        scaledSum(w.quants.3, w.scales.3, x.quants, from: x.start))
    let minima = _mm512_dpwssd_epi32(_mm512_madd_epi16(w.minima.0, x.sums.0), w.minima.1, x.sums.1)
    return (
        _mm_fmadd_ps(floatsOfQuarters(products) * w.d, x.d, sums.products),
        _mm_fmadd_ps(floatsOfQuarters(minima) * w.dmin, x.d, sums.minima)
    )
}

@inline(__always)
private func total(_ sums: QuartetSums) -> SIMD4<Float> {
    sums.products - sums.minima
}

/// No initial values, and no minima.
@inline(__always)
var noStart: Quants256 { (Bytes64(), Bytes64(), Bytes64(), Bytes64()) }

@inline(__always)
var noMinima: (Bytes64, Bytes64) { (Bytes64(), Bytes64()) }

// MARK: - Parts

/// The half-precision numbers at an offset in each block.
@inline(__always)
func halves(_ offset: Int, of blocks: BlockAddresses) -> SIMD4<Float> {
    floats(
        halves: SIMD4(
            (blocks.a + offset).loadUnaligned(as: UInt16.self), (blocks.b + offset).loadUnaligned(as: UInt16.self),
            (blocks.c + offset).loadUnaligned(as: UInt16.self), (blocks.d + offset).loadUnaligned(as: UInt16.self)))
}

/// 16 bytes at an offset in each block, in the quarters of a vector.
@inline(__always)
func quarters(_ offset: Int, of blocks: BlockAddresses) -> Bytes64 {
    quarters(
        bytes16(blocks.a + offset), bytes16(blocks.b + offset), bytes16(blocks.c + offset), bytes16(blocks.d + offset))
}

/// Transposes: lane k of the four quarters goes to quarter k, from `aaaa bbbb cccc dddd` to `abcd abcd abcd abcd`.
@inline(__always)
func transposedQuarters(_ lanes: Bytes64) -> Bytes64 {
    let places = Bytes64(
        0x4_0000_0000, 0xC_0000_0008, 0x5_0000_0001, 0xD_0000_0009,
        0x6_0000_0002, 0xE_0000_000A, 0x7_0000_0003, 0xF_0000_000B)
    return _mm512_permutexvar_epi32(places, lanes)
}

/// A vector of four quarters.
@inline(__always)
func quarters(_ a: Bytes16, _ b: Bytes16, _ c: Bytes16, _ d: Bytes16) -> Bytes64 {
    join(_mm256_set_m128i(b, a), _mm256_set_m128i(d, c))
}

/// 16 bytes four times.
@inline(__always)
func inEveryQuarter(_ bytes: Bytes16) -> Bytes64 { _mm512_broadcast_i32x4(bytes) }

/// For each quarter of four vectors, the sum of its four 32-bit lanes, in lanes `abcd abcd abcd abcd`.
@inline(__always)
func alternating(_ a: Bytes64, _ b: Bytes64, _ c: Bytes64, _ d: Bytes64) -> Bytes64 {
    let ab = _mm512_add_epi32(_mm512_unpacklo_epi32(a, b), _mm512_unpackhi_epi32(a, b))
    let cd = _mm512_add_epi32(_mm512_unpacklo_epi32(c, d), _mm512_unpackhi_epi32(c, d))
    return _mm512_add_epi32(_mm512_unpacklo_epi64(ab, cd), _mm512_unpackhi_epi64(ab, cd))
}

/// The sums of four quarters.
@inline(__always)
func floatsOfQuarters(_ integers: Bytes64) -> SIMD4<Float> {
    let halves = _mm256_add_epi32(integers.lowHalf, integers.highHalf)
    return _mm_cvtepi32_ps(_mm_add_epi32(halves.lowHalf, halves.highHalf))
}
#endif
