#if arch(arm64)
import LeapBlocks
import _Builtin_intrinsics.arm.neon

// Unpacks weights into tiles 8 rows at a time: each row is unpacked into registers in element order, as for a dot
// product, and staged in memory; then the words of the staged rows are interleaved.

/// A block of 32: quants, and a scale and a minimum.
typealias WeightBlock = (quants: Quants32, d: Float, m: Float)

/// Unpacks rows of blocks of 32; see `UnpackKernel`.
@inline(__always)
func unpackBlockTile(
    _ operands: SlabOperands, byteCount: Int, hasMinima: Bool, _ read: (_ block: UnsafeRawPointer) -> WeightBlock
) {
    unpackRows(operands) { source, row, staged, half in
        for index in 0..<operands.columns / 32 {
            let block = read(source + index &* byteCount)
            stage(block.quants, staged + 32 &* index)
            setNumber(block.d, WeightTile.scales, index, row, half)
            if hasMinima { setNumber(block.m, WeightTile.scales, 8 &+ index, row, half) }
        }
    }
}

/// Unpacks rows of blocks of 256 with a zero point; see `UnpackKernel`.
///
/// - Parameter groupSize: Columns that share a scale, 16 or 32.
@inline(__always)
func unpackOffsetTile(
    _ operands: SlabOperands, groupSize: Int, zero: Int8, _ read: (_ block: UnsafeRawPointer) -> OffsetSuperBlock
) {
    unpackRows(operands) { source, row, staged, half in
        let block = read(source)
        stage(zero == 0 ? block.quants : subtract(zero, from: block.quants), staged)
        setScales(ofGroups(block.scales, groupSize), groupSize, row, half)
        setNumber(block.d, WeightTile.factors, 0, row, half)
    }
}

/// Unpacks rows of blocks of 256 with minima; see `UnpackKernel`.
@inline(__always)
func unpackMinimumTile(
    _ operands: SlabOperands, groupSize: Int, _ read: (_ block: UnsafeRawPointer) -> MinimumSuperBlock
) {
    unpackRows(operands) { source, row, staged, half in
        let block = read(source)
        stage(block.quants, staged)
        setScales(ofGroups(block.scales, groupSize), groupSize, row, half)
        store(ofGroups(block.minima, groupSize), row: row, of: halfRows, to: half + WeightTile.minima)
        setNumber(block.d, WeightTile.factors, 0, row, half)
        setNumber(block.dmin, WeightTile.factors, 1, row, half)
    }
}

/// Calls `body` for every row with its first block, its index in its half of the tile, the address to stage its quants
/// at, and the half; then interleaves the staged words into the half. Slots of rows that do not exist are left
/// unchanged.
@inline(__always)
private func unpackRows(
    _ operands: SlabOperands,
    _ body: (
        _ source: UnsafeRawPointer, _ row: Int, _ staged: UnsafeMutableRawPointer, _ half: UnsafeMutableRawPointer
    ) -> Void
) {
    let staging = operands.tile + WeightTile.staging
    for first in stride(from: 0, to: operands.rows, by: halfRows) {
        let half = operands.tile + first / halfRows &* WeightTile.halfBytes
        for row in 0..<min(halfRows, operands.rows &- first) {
            body(operands.source + (first &+ row) &* operands.stride, row, staging + row &* slabColumns, half)
        }
        interleave(staging, columns: operands.columns, to: half + WeightTile.quants)
    }
}

// MARK: - Fields of a tile

@inline(__always)
private func stage(_ quants: Quants256, _ place: UnsafeMutableRawPointer) {
    stage(quants.0, place)
    stage(quants.1, place + 64)
    stage(quants.2, place + 128)
    stage(quants.3, place + 192)
}

@inline(__always)
private func stage(_ quants: Quants64, _ place: UnsafeMutableRawPointer) {
    stage((quants.0, quants.1), place)
    stage((quants.2, quants.3), place + 32)
}

@inline(__always)
private func stage(_ quants: Quants32, _ place: UnsafeMutableRawPointer) {
    place.storeBytes(of: quants.0, as: SignedBytes.self)
    place.storeBytes(of: quants.1, toByteOffset: 16, as: SignedBytes.self)
}

/// One number per group, from one number per 16 columns: for groups of 32, the first of each pair of equal numbers.
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
