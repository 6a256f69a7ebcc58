#if arch(x86_64)
import LeapBlocks
import _Builtin_intrinsics.intel

// Unpacks single-precision weights into single-precision tiles, column by column.

/// Columns of a slab of float weights: chosen so that the tile takes as much first-level cache as other tiles.
let floatSlabColumns = 128

/// Bytes of a tile of float weights.
let floatTileBytes = floatSlabColumns * weightVectors

/// Unpacks 16 rows by 16 columns at a time; see `UnpackKernel`. Tile entries beyond the last column or row are never
/// read.
let unpackTileF32: UnpackKernel = { source, stride, rows, columns, tile in
    for half in 0..<2 {
        for column in Swift.stride(from: 0, to: columns, by: 16) {
            let count = min(16, columns &- column)
            let place = tile + (column &* weightVectors &+ 64 &* half)
            transpose { row in
                let source = source + (min(16 &* half &+ row, rows &- 1) &* stride &+ 4 &* column)
                let floats = source.assumingMemoryBound(to: Float.self)
                return unsafeBitCast(count == 16 ? load(floats) : load(floats, first: count), to: Bytes64.self)
            } _: { column, words in
                store(words, to: place + column &* weightVectors)
            }
        }
    }
}
#endif
