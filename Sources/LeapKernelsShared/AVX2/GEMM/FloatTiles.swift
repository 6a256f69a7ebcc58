#if arch(x86_64)
import LeapBlocks
import _Builtin_intrinsics.intel

// Unpacks single-precision weights into single-precision tiles, column by column.

/// Columns of a slab of float weights: 8 KB of weights, the same as the largest tile of quants.
let floatSlabColumns = 128

/// Bytes of a tile of float weights: its columns, then a staging area of 8 rows by 8 columns.
let floatTileBytes = floatSlabColumns * weightVectors + 256

/// Unpacks rows of single precision; see `UnpackKernel`.
let unpackTileF32: UnpackKernel = { unpackFloats(($0, $1, $2, $3, $4)) }

/// Unpacks 8 rows by 8 columns at a time; the last row stands in for rows beyond it. Tile entries beyond the last
/// column are never read.
@inline(__always)
private func unpackFloats(_ operands: SlabOperands) {
    let last = operands.rows &- 1
    let staging = operands.tile + floatSlabColumns &* weightVectors
    for half in 0..<2 {
        for column in stride(from: 0, to: operands.columns, by: 8) {
            let count = min(8, operands.columns &- column)
            for i in 0..<8 {
                let row = operands.source + min(8 &* half &+ i, last) &* operands.stride
                let source = (row + 4 &* column).assumingMemoryBound(to: Float.self)
                let lanes = count == 8 ? load(source) : load(source, first: count)
                store(lanes, to: (staging + 32 &* i).assumingMemoryBound(to: Float.self))
            }
            let destination = operands.tile + (column &* weightVectors &+ 32 &* half)
            transposeWords(staging, stride: 32, count: 8, to: destination)
        }
    }
}

/// Multiplies tiles of floats; see `MultiplyKernel`.
let multiplyFloatTile: MultiplyKernel = { weights, activations, _, columns, destination in
    var sums = FloatTile()
    for column in 0..<columns {
        let w = pairOfLanes(weights + column &* weightVectors)
        let x = activations + column &* ActivationTile.step
        sums.update { sum, row in
            let x = number(x, 0, row)
            sum.a = multiplyAdd(w.a, x, sum.a)
            sum.b = multiplyAdd(w.b, x, sum.b)
        }
    }
    sums.update { sum, row in destination.add(sum, times: Lanes(repeating: 1), row: row) }
}

/// Floats for 16 weight rows by 6 activation rows, in 12 registers.
private struct FloatTile {
    var row0 = zero, row1 = zero, row2 = zero, row3 = zero, row4 = zero, row5 = zero

    @inline(__always)
    private static var zero: LanesPair { (Lanes(repeating: 0), Lanes(repeating: 0)) }

    @inline(__always)
    mutating func update(_ body: (_ sum: inout LanesPair, _ row: Int) -> Void) {
        body(&row0, 0)
        body(&row1, 1)
        body(&row2, 2)
        body(&row3, 3)
        body(&row4, 4)
        body(&row5, 5)
    }
}
#endif
