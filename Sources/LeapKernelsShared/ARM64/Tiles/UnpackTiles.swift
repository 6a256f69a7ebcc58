#if arch(arm64)
import LeapBlocks
import _Builtin_intrinsics.arm.neon

// Weights become tiles row by row: blocks are read into registers in element order, as for a dot product, and their words
// are stored where the multiplication wants them.

/// A block of 32: quants, and a scale and a minimum.
typealias WeightBlock = (quants: Quants32, d: Float, m: Float)

/// Unpacks rows of blocks of 32; see `UnpackKernel`.
@inline(__always)
func unpackBlockTile(
    _ operands: SlabOperands, byteCount: Int, hasMinima: Bool, _ read: (_ block: UnsafeRawPointer) -> WeightBlock
) {
    forEachRow(operands) { source, row, half in
        for block in 0..<operands.columns / 32 {
            let weights = read(source + block &* byteCount)
            let quants = half + (WeightTile.quants &+ 4 &* block &* WeightTile.step)
            store(weights.quants.0, row: row, of: halfRows, to: quants)
            store(weights.quants.1, row: row, of: halfRows, to: quants + 2 &* WeightTile.step)
            setNumber(weights.d, WeightTile.scales, block, row, half)
            if hasMinima { setNumber(weights.m, WeightTile.scales, 8 &+ block, row, half) }
        }
    }
}

/// Unpacks rows of blocks of 256 with a zero point; see `UnpackKernel`.
///
/// - Parameter groupSize: Columns with a scale of their own, 16 or 32.
@inline(__always)
func unpackOffsetTile(
    _ operands: SlabOperands, groupSize: Int, zero: Int8, _ read: (_ block: UnsafeRawPointer) -> OffsetSuperBlock
) {
    forEachRow(operands) { source, row, half in
        let block = read(source)
        setQuants(zero == 0 ? block.quants : subtract(zero, from: block.quants), row, half)
        setScales(ofGroups(block.scales, groupSize), groupSize, row, half)
        setNumber(block.d, WeightTile.factors, 0, row, half)
    }
}

/// Unpacks rows of blocks of 256 with minima; see `UnpackKernel`.
@inline(__always)
func unpackMinimumTile(
    _ operands: SlabOperands, groupSize: Int, _ read: (_ block: UnsafeRawPointer) -> MinimumSuperBlock
) {
    forEachRow(operands) { source, row, half in
        let block = read(source)
        setQuants(block.quants, row, half)
        setScales(ofGroups(block.scales, groupSize), groupSize, row, half)
        store(ofGroups(block.minima, groupSize), row: row, of: halfRows, to: half + WeightTile.minima)
        setNumber(block.d, WeightTile.factors, 0, row, half)
        setNumber(block.dmin, WeightTile.factors, 1, row, half)
    }
}

/// Calls `body` with the first block of every row, the row's place in its half of the tile, and the half. The last row
/// stands in for those beyond it.
@inline(__always)
private func forEachRow(
    _ operands: SlabOperands,
    _ body: (_ source: UnsafeRawPointer, _ row: Int, _ half: UnsafeMutableRawPointer) -> Void
) {
    for row in 0..<2 &* halfRows {
        body(
            operands.source + min(row, operands.rows &- 1) &* operands.stride, row % halfRows,
            operands.tile + row / halfRows &* WeightTile.halfBytes)
    }
}

// MARK: - Fields of a tile

/// Stores the quants of a row.
@inline(__always)
private func setQuants(_ quants: Quants256, _ row: Int, _ half: UnsafeMutableRawPointer) {
    setQuants(quants.0, row, half + WeightTile.quants)
    setQuants(quants.1, row, half + (WeightTile.quants &+ 8 &* WeightTile.step))
    setQuants(quants.2, row, half + (WeightTile.quants &+ 16 &* WeightTile.step))
    setQuants(quants.3, row, half + (WeightTile.quants &+ 24 &* WeightTile.step))
}

@inline(__always)
private func setQuants(_ quants: Quants64, _ row: Int, _ place: UnsafeMutableRawPointer) {
    store(quants.0, row: row, of: halfRows, to: place)
    store(quants.1, row: row, of: halfRows, to: place + 2 &* WeightTile.step)
    store(quants.2, row: row, of: halfRows, to: place + 4 &* WeightTile.step)
    store(quants.3, row: row, of: halfRows, to: place + 6 &* WeightTile.step)
}

/// One number for each group, of what has one for each 16 columns: of pairs that are equal where groups have 32 the first.
@inline(__always)
private func ofGroups(_ numbers: SignedBytes, _ groupSize: Int) -> SignedBytes {
    groupSize == 16 ? numbers : vuzp1q_s8(numbers, numbers)
}

/// Stores the integer scales of a row's groups.
@inline(__always)
private func setScales(_ scales: SignedBytes, _ groupSize: Int, _ row: Int, _ half: UnsafeMutableRawPointer) {
    for group in 0..<256 / groupSize {
        let place = WeightTile.scales &+ group &* WeightTile.numbers &+ 4 &* row
        half.storeBytes(of: Int32(scales[group]), toByteOffset: place, as: Int32.self)
    }
}

@inline(__always)
private func setNumber(_ number: Float, _ offset: Int, _ index: Int, _ row: Int, _ half: UnsafeMutableRawPointer) {
    half.storeBytes(of: number, toByteOffset: offset &+ index &* WeightTile.numbers &+ 4 &* row, as: Float.self)
}
#endif
