#if arch(x86_64)
import LeapBlocks
import _Builtin_intrinsics.intel

// Weights become tiles 16 rows at a time: each row is unpacked to signed bytes in element order, as for a dot product,
// and staged; then the 16 staged rows are transposed.

/// One row of a slab of groups of 32: signed quants, and a factor for each group in the lower 8 lanes, a minimum in the
/// upper.
typealias GroupedRow = (quants: Quants256, factors: Lanes)

/// One row of a slab of groups of 16: signed quants, and a factor and a minimum for each group.
typealias FinelyGroupedRow = (quants: Quants256, factors: Lanes, minima: Lanes)

/// Where staged rows lie: their quants, then their factors, then their minima.
private enum Staging {
    static let factors = 16 * 256
    static let minima = factors + 16 * 64
}

/// Unpacks rows whose groups have 32 elements; see `UnpackKernel`.
@inline(__always)
func unpackTile(
    _ operands: SlabOperands, hasMinima: Bool, row: (_ source: UnsafeRawPointer, _ columns: Int) -> GroupedRow
) {
    forEachHalf(operands) { source, half, staging in
        for i in 0..<16 {
            let row = row(source(i), operands.columns)
            stage(row.quants, i, staging)
            store(row.factors, to: (staging + Staging.factors + i &* 64).assumingMemoryBound(to: Float.self))
        }
        transposeQuants(staging, to: half, groups: (operands.columns &+ 31) / 32, quadsPerGroup: 8)
        // The first 8 vectors are the scales; the minima are the next 8, where the format has them, or else nothing
        // that is read.
        transposeFactors(staging + Staging.factors, to: half + WeightTile.scales)
        if hasMinima {
            for group in 0..<8 {
                let minimum = bytes64(half + (WeightTile.scales &+ (8 &+ group) &* weightVectors))
                store(minimum, to: half + (WeightTile.minima &+ group &* weightVectors))
            }
        }
    }
}

/// Unpacks rows of whole blocks of 256 whose groups have 16 elements; see `UnpackKernel`.
@inline(__always)
func unpackFineTile(
    _ operands: SlabOperands, hasMinima: Bool, row: (_ source: UnsafeRawPointer) -> FinelyGroupedRow
) {
    forEachHalf(operands) { source, half, staging in
        for i in 0..<16 {
            let row = row(source(i))
            stage(row.quants, i, staging)
            store(row.factors, to: (staging + Staging.factors + i &* 64).assumingMemoryBound(to: Float.self))
            store(row.minima, to: (staging + Staging.minima + i &* 64).assumingMemoryBound(to: Float.self))
        }
        transposeQuants(staging, to: half, groups: 16, quadsPerGroup: 4)
        transposeFactors(staging + Staging.factors, to: half + WeightTile.scales)
        if hasMinima { transposeFactors(staging + Staging.minima, to: half + WeightTile.minima) }
    }
}

/// Calls `body` for rows 0 … 15 and for rows 16 … 31, with the address of each row's first block, where the rows' first
/// vector goes, and the staging memory. The last row stands in for those beyond it.
@inline(__always)
private func forEachHalf(
    _ operands: SlabOperands,
    _ body: (
        _ row: (Int) -> UnsafeRawPointer, _ half: UnsafeMutableRawPointer, _ staging: UnsafeMutableRawPointer
    ) -> Void
) {
    let last = operands.rows &- 1
    for half in 0..<2 {
        body(
            { operands.source + min(16 &* half &+ $0, last) &* operands.stride },
            operands.tile + 64 &* half, operands.tile + WeightTile.staging)
    }
}

@inline(__always)
private func stage(_ quants: Quants256, _ row: Int, _ staging: UnsafeMutableRawPointer) {
    let place = staging + row &* 256
    store(quants.0, to: place)
    store(quants.1, to: place + 64)
    store(quants.2, to: place + 128)
    store(quants.3, to: place + 192)
}

/// Transposes the staged quants, and sums up the groups.
@inline(__always)
private func transposeQuants(
    _ staging: UnsafeMutableRawPointer, to half: UnsafeMutableRawPointer, groups: Int, quadsPerGroup: Int
) {
    let columns = groups &* quadsPerGroup &* 4
    for column in stride(from: 0, to: columns, by: 64) {
        transposeWords(staging + column, stride: 256, to: half + column / 4 &* weightVectors)
    }
    for group in 0..<groups {
        let quads = half + group &* quadsPerGroup &* weightVectors
        var sums = Bytes64()
        for quad in 0..<quadsPerGroup { sums = addProducts(sums, splat(128), bytes64(quads + quad &* weightVectors)) }
        store(_mm512_sub_epi32(Bytes64(), sums), to: half + (WeightTile.starts &+ group &* weightVectors))
    }
}

@inline(__always)
private func transposeFactors(_ staging: UnsafeMutableRawPointer, to half: UnsafeMutableRawPointer) {
    transposeWords(staging, stride: 64, to: half)
}

// MARK: - Rows

/// Eight blocks of 32 with unsigned quants, of which those within `columns` exist.
@inline(__always)
func groupedRow(
    _ source: UnsafeRawPointer, _ columns: Int, byteCount: Int, zero: UInt8,
    unpack: (_ blocks: BlockQuartet) -> WeightQuartet
) -> GroupedRow {
    let blocks = columns / 32
    let low = unpack((source, byteCount, min(blocks, 4)))
    // A slab of fewer than five blocks repeats its first ones, and nothing reads them.
    let high = blocks > 4 ? unpack((source + 4 &* byteCount, byteCount, blocks &- 4)) : low
    let factors = SIMD16(
        lowHalf: SIMD8(lowHalf: low.d, highHalf: high.d), highHalf: SIMD8(lowHalf: low.m, highHalf: high.m))
    return (signed((low.lower, low.upper, high.lower, high.upper), zero: zero), factors)
}

/// Takes the zero point off unsigned quants.
@inline(__always)
func signed(_ quants: Quants256, zero: UInt8) -> Quants256 {
    let zero = splat(zero)
    return (
        _mm512_sub_epi8(quants.0, zero), _mm512_sub_epi8(quants.1, zero), _mm512_sub_epi8(quants.2, zero),
        _mm512_sub_epi8(quants.3, zero)
    )
}

/// The lower 8 lanes times one number, the upper 8 times another.
@inline(__always)
func scaled(_ integers: Bytes64, _ low: Float, _ high: Float) -> Lanes {
    let factors = SIMD16(lowHalf: SIMD8<Float>(repeating: low), highHalf: SIMD8<Float>(repeating: high))
    return floats(integers) * factors
}
#endif
