#if arch(x86_64)
import LeapBlocks
import _Builtin_intrinsics.intel

// Unpacks weights into tiles 8 rows at a time: each row is unpacked to bytes in element order, as for a dot product,
// and staged in memory; then the 8 staged rows are transposed.

/// One row of a slab of blocks of 32: quants, and a scale and a minimum for each block.
typealias BlockRow = (quants: Quants256, d: Lanes, m: Lanes)

/// One row of a slab of one block of 256: quants, the scales and minima of its groups as signed bytes, and their scales.
typealias SuperBlockRow = (quants: Quants256, scales: Bytes16, minima: Bytes16, d: Float, dmin: Float)

/// Addresses of staged rows.
private enum Staging {
    static let quants = 0
    static let scales = 8 * 512
    static let minima = scales + 8 * 64
}

/// Unpacks rows of blocks of 32 to bytes; see `UnpackKernel`.
@inline(__always)
func unpackBlockTile(
    _ operands: SlabOperands, row: (_ source: UnsafeRawPointer, _ columns: Int) -> BlockRow
) {
    unpackBlocks(operands, row: row, stage: stageBytes, rowBytes: 256, columnsPerWord: 4)
}

/// Unpacks rows of blocks of 32 to 16-bit numbers; see `UnpackKernel`.
@inline(__always)
func unpackWordTile(
    _ operands: SlabOperands, row: (_ source: UnsafeRawPointer, _ columns: Int) -> BlockRow
) {
    unpackBlocks(operands, row: row, stage: stageWords, rowBytes: 512, columnsPerWord: 2)
}

@inline(__always)
private func unpackBlocks(
    _ operands: SlabOperands, row: (UnsafeRawPointer, Int) -> BlockRow,
    stage: (_ quants: Quants256, _ place: UnsafeMutableRawPointer) -> Void, rowBytes: Int, columnsPerWord: Int
) {
    forEachHalf(operands) { source, half, staging in
        for i in 0..<8 {
            let row = row(source(i), operands.columns)
            stage(row.quants, staging + Staging.quants + i &* rowBytes)
            store(row.d, to: (staging + Staging.scales + i &* 32).assumingMemoryBound(to: Float.self))
            store(row.m, to: (staging + Staging.minima + i &* 32).assumingMemoryBound(to: Float.self))
        }
        let words = operands.columns / columnsPerWord
        transposeWords(staging + Staging.quants, stride: rowBytes, count: words, to: half + WeightTile.quants)
        transposeWords(staging + Staging.scales, stride: 32, count: 8, to: half + WeightTile.scales)
        transposeWords(staging + Staging.minima, stride: 32, count: 8, to: half + WeightTile.minima)
    }
}

/// Unpacks rows of blocks of 256 with 8 or 16 groups; see `UnpackKernel`.
@inline(__always)
func unpackSuperBlockTile(
    _ operands: SlabOperands, groups: Int, hasMinima: Bool, row: (_ block: UnsafeRawPointer) -> SuperBlockRow
) {
    forEachHalf(operands) { source, half, staging in
        let factors = half + WeightTile.factors
        for i in 0..<8 {
            let row = row(source(i))
            stageBytes(row.quants, staging + Staging.quants + i &* 256)
            let scales = staging + Staging.scales + i &* 64
            store(twiceInWords(row.scales), to: scales)
            if groups == 16 { store(twiceInWords(Bytes16(row.scales[1], 0)), to: scales + 32) }
            factors.storeBytes(of: row.d, toByteOffset: 4 &* i, as: Float.self)
            if hasMinima {
                store(_mm256_cvtepi8_epi16(row.minima), to: staging + Staging.minima + i &* 32)
                factors.storeBytes(of: row.dmin, toByteOffset: weightVectors &+ 4 &* i, as: Float.self)
            }
        }
        transposeWords(staging + Staging.quants, stride: 256, count: 64, to: half + WeightTile.quants)
        transposeWords(staging + Staging.scales, stride: 64, count: groups, to: half + WeightTile.scales)
        if hasMinima {
            transposeWords(staging + Staging.minima, stride: 32, count: groups / 2, to: half + WeightTile.minima)
        }
    }
}

/// Calls `body` for rows 0 … 7 and for rows 8 … 15, with the address of each row's first block, the destination of the
/// rows' first vector, and the staging memory. The last row stands in for rows beyond it.
@inline(__always)
func forEachHalf(
    _ operands: SlabOperands,
    _ body: (
        _ row: (Int) -> UnsafeRawPointer, _ half: UnsafeMutableRawPointer, _ staging: UnsafeMutableRawPointer
    ) -> Void
) {
    let last = operands.rows &- 1
    for half in 0..<2 {
        body(
            { operands.source + min(8 &* half &+ $0, last) &* operands.stride },
            operands.tile + 32 &* half, operands.tile + WeightTile.staging)
    }
}

@inline(__always)
private func stageBytes(_ quants: Quants256, _ place: UnsafeMutableRawPointer) {
    store(quants.0, to: place)
    store(quants.1, to: place + 32)
    store(quants.2, to: place + 64)
    store(quants.3, to: place + 96)
    store(quants.4, to: place + 128)
    store(quants.5, to: place + 160)
    store(quants.6, to: place + 192)
    store(quants.7, to: place + 224)
}

@inline(__always)
private func stageWords(_ quants: Quants256, _ place: UnsafeMutableRawPointer) {
    stageWords(quants.0, place)
    stageWords(quants.1, place + 64)
    stageWords(quants.2, place + 128)
    stageWords(quants.3, place + 192)
    stageWords(quants.4, place + 256)
    stageWords(quants.5, place + 320)
    stageWords(quants.6, place + 384)
    stageWords(quants.7, place + 448)
}

@inline(__always)
private func stageWords(_ quants: Bytes32, _ place: UnsafeMutableRawPointer) {
    let halves = unsafeBitCast(quants, to: (Bytes16, Bytes16).self)
    store(_mm256_cvtepi8_epi16(halves.0), to: place)
    store(_mm256_cvtepi8_epi16(halves.1), to: place + 32)
}

// MARK: - Rows

/// Eight blocks of 32, of which those within `columns` exist; `unpack` reads four at a time, split into halves.
@inline(__always)
func blockRow(
    _ source: UnsafeRawPointer, _ columns: Int, byteCount: Int, unpack: (_ blocks: BlockQuartet) -> WeightQuartet
) -> BlockRow {
    let blocks = columns / 32
    let low = unpack((source, byteCount, min(blocks, 4)))
    // A slab of fewer than five blocks repeats its first ones; the copies are never read.
    let high = blocks > 4 ? unpack((source + 4 &* byteCount, byteCount, blocks &- 4)) : low
    let (a, b, c, d) = inElementOrder(low.quants)
    let (e, f, g, h) = inElementOrder(high.quants)
    return ((a, b, c, d, e, f, g, h), Lanes(lowHalf: low.d, highHalf: high.d), Lanes(lowHalf: low.m, highHalf: high.m))
}

/// The 32 quants of each of four blocks.
@inline(__always)
private func inElementOrder(_ quants: HalvedQuartet) -> (Bytes32, Bytes32, Bytes32, Bytes32) {
    (
        Bytes32(lowHalf: quants.low01.lowHalf, highHalf: quants.high01.lowHalf),
        Bytes32(lowHalf: quants.low01.highHalf, highHalf: quants.high01.highHalf),
        Bytes32(lowHalf: quants.low23.lowHalf, highHalf: quants.high23.lowHalf),
        Bytes32(lowHalf: quants.low23.highHalf, highHalf: quants.high23.highHalf)
    )
}

/// The first 8 signed bytes as 16-bit numbers, each repeated in both halves of a 32-bit lane.
@inline(__always)
private func twiceInWords(_ bytes: Bytes16) -> Bytes32 {
    let lowHalves = Bytes16(0x0504_0504_0100_0100, 0x0D0C_0D0C_0908_0908)
    return _mm256_shuffle_epi8(_mm256_cvtepi8_epi32(bytes), twice(lowHalves))
}
#endif
