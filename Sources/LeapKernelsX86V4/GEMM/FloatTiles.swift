#if arch(x86_64)
import LeapBlocks
import _Builtin_intrinsics.intel

// Weights that are floats become tiles of single precision, column by column.

/// Columns of a slab of float weights: what the tile takes of the first-level cache is what quantised tiles take.
let floatSlabColumns = 128

/// Bytes of a tile of float weights.
let floatTileBytes = floatSlabColumns * weightVectors

/// Unpacks rows of single precision; see `UnpackKernel`.
let unpackTileF32: UnpackKernel = {
    unpackFloats(($0, $1, $2, $3, $4), elementBytes: 4) { source, count in
        let source = source.assumingMemoryBound(to: Float.self)
        return count == 16 ? load(source) : load(source, first: count)
    }
}

/// Unpacks rows of half precision; see `UnpackKernel`.
let unpackTileF16: UnpackKernel = {
    unpackFloats(($0, $1, $2, $3, $4), elementBytes: 2) { source, count in
        let source = source.assumingMemoryBound(to: UInt16.self)
        return count == 16 ? loadHalves(source) : loadHalves(source, first: count)
    }
}

/// Unpacks rows of brain floats; see `UnpackKernel`.
let unpackTileBF16: UnpackKernel = {
    unpackFloats(($0, $1, $2, $3, $4), elementBytes: 2) { source, count in
        let source = source.assumingMemoryBound(to: UInt16.self)
        return count == 16 ? loadBrainFloats(source) : loadBrainFloats(source, first: count)
    }
}

/// Unpacks 16 rows by 16 columns at a time. What lies beyond the last column or row is not read later.
@inline(__always)
private func unpackFloats(
    _ operands: SlabOperands, elementBytes: Int, load: (_ source: UnsafeRawPointer, _ count: Int) -> Lanes
) {
    let last = operands.rows &- 1
    for half in 0..<2 {
        for column in stride(from: 0, to: operands.columns, by: 16) {
            let count = min(16, operands.columns &- column)
            let tile = operands.tile + (column &* weightVectors &+ 64 &* half)
            transpose { row in
                let row = operands.source + min(16 &* half &+ row, last) &* operands.stride
                return unsafeBitCast(load(row + column &* elementBytes, count), to: Bytes64.self)
            } _: { column, words in
                store(words, to: tile + column &* weightVectors)
            }
        }
    }
}
#endif
