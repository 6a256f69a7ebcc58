#if arch(x86_64)
import LeapBlocks
import _Builtin_intrinsics.intel

// Quantised activations become tiles: 4 columns of each of 6 rows side by side, raised by 128 so that they are
// unsigned. Rows that do not exist are left as they are in memory.

/// Packs `Q8_K` blocks; see `PackKernel`.
let packQ8_K: PackKernel = { source, stride, rows, columns, tile in
    for row in 0..<rows {
        let block = source + row &* stride
        interleave(block + BlockQ8_K.qs, columns: 256, row: row, tile: tile)
        setNumber(block.loadUnaligned(fromByteOffset: BlockQ8_K.d, as: Float.self), ActivationTile.scales, 0, row, tile)
        for group in 0..<8 {
            let sums = block + (BlockQ8_K.bsums &+ 4 &* group)
            let first = Float(sums.loadUnaligned(as: Int16.self))
            let second = Float(sums.loadUnaligned(fromByteOffset: 2, as: Int16.self))
            setNumber(first + second, ActivationTile.sums, group, row, tile)
            setNumber(first, ActivationTile.halfSums, 2 &* group, row, tile)
            setNumber(second, ActivationTile.halfSums, 2 &* group &+ 1, row, tile)
        }
    }
}

/// Packs `Q8_0` blocks; see `PackKernel`.
let packQ8_0: PackKernel = { source, stride, rows, columns, tile in
    for row in 0..<rows {
        for group in 0..<columns / 32 {
            let block = source + (row &* stride &+ group &* BlockQ8_0.byteCount)
            interleave(block + BlockQ8_0.qs, columns: 32, row: row, tile: tile + group &* 8 &* ActivationTile.step)
            setNumber(loadHalf(block + BlockQ8_0.d), ActivationTile.scales, group, row, tile)
        }
    }
}

/// Packs `Q8_1` blocks; see `PackKernel`.
let packQ8_1: PackKernel = { source, stride, rows, columns, tile in
    for row in 0..<rows {
        for group in 0..<columns / 32 {
            let block = source + (row &* stride &+ group &* BlockQ8_1.byteCount)
            interleave(block + BlockQ8_1.qs, columns: 32, row: row, tile: tile + group &* 8 &* ActivationTile.step)
            setNumber(loadHalf(block + BlockQ8_1.d), ActivationTile.scales, group, row, tile)
            setNumber(loadHalf(block + BlockQ8_1.s), ActivationTile.sums, group, row, tile)
        }
    }
}

/// Packs floats: the numbers of 6 rows side by side.
let packFloats: PackKernel = { source, stride, rows, columns, tile in
    for row in 0..<rows {
        let row = (source: source + row &* stride, tile: tile + 4 &* row)
        for column in 0..<columns {
            let number = row.source.loadUnaligned(fromByteOffset: 4 &* column, as: Float.self)
            row.tile.storeBytes(of: number, toByteOffset: ActivationTile.step &* column, as: Float.self)
        }
    }
}

/// Spreads a row's quants, four at a time.
@inline(__always)
private func interleave(_ source: UnsafeRawPointer, columns: Int, row: Int, tile: UnsafeMutableRawPointer) {
    let destination = tile + 4 &* row
    for quad in 0..<columns / 4 {
        let raised = source.loadUnaligned(fromByteOffset: 4 &* quad, as: UInt32.self) ^ 0x8080_8080
        destination.storeBytes(of: raised, toByteOffset: ActivationTile.step &* quad, as: UInt32.self)
    }
}

@inline(__always)
private func setNumber(_ number: Float, _ offset: Int, _ index: Int, _ row: Int, _ tile: UnsafeMutableRawPointer) {
    tile.storeBytes(of: number, toByteOffset: offset &+ index &* ActivationTile.step &+ 4 &* row, as: Float.self)
}
#endif
