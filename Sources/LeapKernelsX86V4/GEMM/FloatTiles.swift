#if arch(x86_64)
import LeapBlocks
import _Builtin_intrinsics.intel

// Weights in single precision become tiles of single precision, column by column.

/// Columns of a slab of float weights: what the tile takes of the first-level cache is what other tiles take.
let floatSlabColumns = 128

/// Bytes of a tile of float weights.
let floatTileBytes = floatSlabColumns * weightVectors

/// Unpacks 16 rows by 16 columns at a time; see `UnpackKernel`. What lies beyond the last column or row is not read later.
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
