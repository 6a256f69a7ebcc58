#if arch(arm64)
import LeapBlocks
import _Builtin_intrinsics.arm.neon

// Float weights of all widths are unpacked to single-precision tiles, column by column: one instruction of this CPU
// multiplies no more 16-bit integers than floats, so that rounding halves to scaled integers would gain nothing.

/// Columns of a slab of float weights: chosen so that the tile takes as much first-level cache as a tile of quants.
let floatSlabColumns = 128

/// Bytes of one column: of a tile of float weights, and of a tile of float activations.
private let weightColumn = 64
private let activationColumn = 24

/// Bytes of tiles of floats.
let floatWeightBytes = floatSlabColumns * weightColumn
let floatActivationBytes = floatSlabColumns * activationColumn

/// Unpacks rows of single precision; see `UnpackKernel`.
let unpackTileF32: UnpackKernel = {
    unpackFloats(($0, $1, $2, $3, $4), elementBytes: 4) { source, count in
        let source = source.assumingMemoryBound(to: Float.self)
        return count.map { load(source, first: $0) } ?? load(source)
    }
}

/// Unpacks rows of half precision; see `UnpackKernel`.
let unpackTileF16: UnpackKernel = {
    unpackFloats(($0, $1, $2, $3, $4), elementBytes: 2) { source, count in
        let source = source.assumingMemoryBound(to: UInt16.self)
        return count.map { loadHalves(source, first: $0) } ?? loadHalves(source)
    }
}

/// Unpacks rows of bfloat16; see `UnpackKernel`.
let unpackTileBF16: UnpackKernel = {
    unpackFloats(($0, $1, $2, $3, $4), elementBytes: 2) { source, count in
        let source = source.assumingMemoryBound(to: UInt16.self)
        return count.map { loadBrainFloats(source, first: $0) } ?? loadBrainFloats(source)
    }
}

/// Packs floats: the numbers of 6 rows interleaved; see `PackKernel`.
let packFloats: PackKernel = { source, stride, rows, columns, tile in
    for row in 0..<rows {
        let (source, place) = (source + row &* stride, tile + 4 &* row)
        for column in 0..<columns {
            let number = source.loadUnaligned(fromByteOffset: 4 &* column, as: Float.self)
            place.storeBytes(of: number, toByteOffset: column &* activationColumn, as: Float.self)
        }
    }
}

/// Multiplies tiles of floats; see `MultiplyKernel`.
let multiplyFloatTile: MultiplyKernel = { weights, activations, _, columns, destination in
    let zero = Lanes(repeating: 0)
    let zeros = (zero, zero, zero, zero)
    var sums = (zeros, zeros, zeros, zeros, zeros, zeros)
    for column in 0..<columns {
        let w = row(weights + column &* weightColumn)
        let place = activations + column &* activationColumn
        let first = place.loadUnaligned(as: Lanes.self)
        let last = place.loadUnaligned(fromByteOffset: 16, as: SIMD2<Float>.self)
        add(w, times: first[0], to: &sums.0)
        add(w, times: first[1], to: &sums.1)
        add(w, times: first[2], to: &sums.2)
        add(w, times: first[3], to: &sums.3)
        add(w, times: last[0], to: &sums.4)
        add(w, times: last[1], to: &sums.5)
    }
    add(sums.0, to: destination)
    add(sums.1, to: destination + tileShape.weightRows)
    add(sums.2, to: destination + 2 &* tileShape.weightRows)
    add(sums.3, to: destination + 3 &* tileShape.weightRows)
    add(sums.4, to: destination + 4 &* tileShape.weightRows)
    add(sums.5, to: destination + 5 &* tileShape.weightRows)
}

// MARK: - Rows of 16 numbers

/// A number for each of 16 weight rows.
private typealias RowOfLanes = (Lanes, Lanes, Lanes, Lanes)

@inline(__always)
private func row(_ source: UnsafeRawPointer) -> RowOfLanes {
    (
        source.loadUnaligned(as: Lanes.self), source.loadUnaligned(fromByteOffset: 16, as: Lanes.self),
        source.loadUnaligned(fromByteOffset: 32, as: Lanes.self),
        source.loadUnaligned(fromByteOffset: 48, as: Lanes.self)
    )
}

@inline(__always)
private func add(_ weights: RowOfLanes, times x: Float, to sums: inout RowOfLanes) {
    let x = Lanes(repeating: x)
    sums.0 = multiplyAdd(weights.0, x, sums.0)
    sums.1 = multiplyAdd(weights.1, x, sums.1)
    sums.2 = multiplyAdd(weights.2, x, sums.2)
    sums.3 = multiplyAdd(weights.3, x, sums.3)
}

@inline(__always)
private func add(_ sums: RowOfLanes, to destination: UnsafeMutablePointer<Float>) {
    store(load(destination) + sums.0, to: destination)
    store(load(destination + 4) + sums.1, to: destination + 4)
    store(load(destination + 8) + sums.2, to: destination + 8)
    store(load(destination + 12) + sums.3, to: destination + 12)
}

// MARK: - Unpacking

/// Loads the first `count` numbers at an address as floats, with the other lanes zero; all 4 if `count` is nil.
private typealias LoadFloats = (_ source: UnsafeRawPointer, _ count: Int?) -> Lanes

/// Unpacks 4 rows by 4 columns at a time; the last row stands in for rows beyond it. Tile entries beyond the last
/// column are never read.
@inline(__always)
private func unpackFloats(_ operands: SlabOperands, elementBytes: Int, _ load: LoadFloats) {
    for first in stride(from: 0, to: tileShape.weightRows, by: 4) {
        func source(_ row: Int) -> UnsafeRawPointer {
            operands.source + min(first &+ row, operands.rows &- 1) &* operands.stride
        }
        let rows = (source(0), source(1), source(2), source(3))
        for column in stride(from: 0, to: operands.columns, by: 4) {
            let count = column &+ 4 <= operands.columns ? nil : operands.columns &- column
            let offset = column &* elementBytes
            let columns = transposed(
                load(rows.0 + offset, count), load(rows.1 + offset, count), load(rows.2 + offset, count),
                load(rows.3 + offset, count))
            let place = operands.tile + (column &* weightColumn &+ 4 &* first)
            place.storeBytes(of: columns.0, as: Lanes.self)
            place.storeBytes(of: columns.1, toByteOffset: weightColumn, as: Lanes.self)
            place.storeBytes(of: columns.2, toByteOffset: 2 &* weightColumn, as: Lanes.self)
            place.storeBytes(of: columns.3, toByteOffset: 3 &* weightColumn, as: Lanes.self)
        }
    }
}

/// Transposes four rows of four numbers.
@inline(__always)
private func transposed(_ a: Lanes, _ b: Lanes, _ c: Lanes, _ d: Lanes) -> (Lanes, Lanes, Lanes, Lanes) {
    let (evenLow, evenHigh) = (vzip1q_f32(a, c), vzip2q_f32(a, c))
    let (oddLow, oddHigh) = (vzip1q_f32(b, d), vzip2q_f32(b, d))
    return (
        vzip1q_f32(evenLow, oddLow), vzip2q_f32(evenLow, oddLow),
        vzip1q_f32(evenHigh, oddHigh), vzip2q_f32(evenHigh, oddHigh)
    )
}
#endif
