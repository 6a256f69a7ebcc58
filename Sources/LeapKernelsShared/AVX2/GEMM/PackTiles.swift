#if arch(x86_64)
import LeapBlocks
import _Builtin_intrinsics.intel

// Packs quantised activations into tiles: the 32-bit lanes of 6 rows interleaved, with the scales and sums that the
// multiplication needs.

/// Packs `Q8_K` blocks; see `PackKernel`.
let packQ8_K: PackKernel = { source, stride, rows, columns, tile in
    for row in 0..<rows {
        let block = source + row &* stride
        let tile = tile + 4 &* row
        for part in 0..<16 {
            let quants = bytes16(block + (BlockQ8_K.qs &+ 16 &* part))
            copy(quants, column: 16 &* part, to: tile)
            setStart(lanePairs(quants), part, tile)
        }
        let sums = bytes32(block + BlockQ8_K.bsums)
        setLanes(sums, ActivationTile.Q8_K.halfSums, tile)
        let pairs = unsafeBitCast(_mm256_madd_epi16(sums, splat16(1)), to: (Bytes16, Bytes16).self)
        setLanes(_mm_packs_epi32(pairs.0, pairs.1), ActivationTile.Q8_K.sums, tile)
        let scale = block.loadUnaligned(fromByteOffset: BlockQ8_K.d, as: Float.self)
        setNumber(scale, ActivationTile.Q8_K.scale, 0, tile)
    }
}

/// Packs `Q8_0` blocks; see `PackKernel`.
let packQ8_0: PackKernel = {
    packBlocks(($0, $1, $2, $3, $4), byteCount: BlockQ8_0.byteCount, quants: BlockQ8_0.qs) { block, index, tile in
        setNumber(loadHalf(block + BlockQ8_0.d), ActivationTile.scales, index, tile)
    }
}

/// Packs `Q8_1` blocks; see `PackKernel`.
let packQ8_1: PackKernel = {
    packBlocks(($0, $1, $2, $3, $4), byteCount: BlockQ8_1.byteCount, quants: BlockQ8_1.qs) { block, index, tile in
        setNumber(loadHalf(block + BlockQ8_1.d), ActivationTile.scales, index, tile)
        setNumber(loadHalf(block + BlockQ8_1.s), ActivationTile.sums, index, tile)
    }
}

/// Packs floats: columns of 6 rows.
let packFloats: PackKernel = { source, stride, rows, columns, tile in
    for row in 0..<rows {
        let (source, tile) = (source + row &* stride, tile + 4 &* row)
        for column in 0..<columns {
            setNumber(source.loadUnaligned(fromByteOffset: 4 &* column, as: Float.self), 0, column, tile)
        }
    }
}

/// Packs blocks of 32; `setNumbers` writes their scales and, where they have them, sums.
@inline(__always)
private func packBlocks(
    _ operands: SlabOperands, byteCount: Int, quants: Int,
    setNumbers: (_ block: UnsafeRawPointer, _ index: Int, _ tile: UnsafeMutableRawPointer) -> Void
) {
    for row in 0..<operands.rows {
        let tile = operands.tile + 4 &* row
        for index in 0..<operands.columns / 32 {
            let block = operands.source + (row &* operands.stride &+ index &* byteCount)
            let (low, high) = (bytes16(block + quants), bytes16(block + (quants &+ 16)))
            copy(low, column: 32 &* index, to: tile)
            copy(high, column: 32 &* index &+ 16, to: tile)
            setStart(lanePairs(low) &+ lanePairs(high), index, tile)
            setNumbers(block, index, tile)
        }
    }
}

// MARK: - Lanes of a row, written from the start of `tile`

/// Writes 16 quants as bytes and as words.
@inline(__always)
private func copy(_ quants: Bytes16, column: Int, to tile: UnsafeMutableRawPointer) {
    setLanes(quants, ActivationTile.bytes &+ column / 4 &* ActivationTile.step, tile)
    setLanes(_mm256_cvtepi8_epi16(quants), ActivationTile.words &+ column / 2 &* ActivationTile.step, tile)
}

@inline(__always)
private func setLanes(_ lanes: Bytes16, _ offset: Int, _ tile: UnsafeMutableRawPointer) {
    let lanes = unsafeBitCast(lanes, to: SIMD4<Int32>.self)
    for i in 0..<4 { tile.storeBytes(of: lanes[i], toByteOffset: offset &+ i &* ActivationTile.step, as: Int32.self) }
}

/// Writes 8 consecutive lanes of a row.
@inline(__always)
func setLanes(_ lanes: Bytes32, _ offset: Int, _ tile: UnsafeMutableRawPointer) {
    let halves = unsafeBitCast(lanes, to: (Bytes16, Bytes16).self)
    setLanes(halves.0, offset, tile)
    setLanes(halves.1, offset &+ 4 &* ActivationTile.step, tile)
}

/// For each of four groups of four quants, the sum of the first two and the sum of the last two.
@inline(__always)
private func lanePairs(_ quants: Bytes16) -> SIMD8<Int16> {
    unsafeBitCast(_mm_maddubs_epi16(_mm_set1_epi8(1), quants), to: SIMD8<Int16>.self)
}

@inline(__always)
private func setStart(_ sums: SIMD8<Int16>, _ index: Int, _ tile: UnsafeMutableRawPointer) {
    let first = sums[0] &+ sums[2] &+ sums[4] &+ sums[6]
    let last = sums[1] &+ sums[3] &+ sums[5] &+ sums[7]
    let start = tile + (ActivationTile.starts &+ index &* ActivationTile.step)
    start.storeBytes(of: 0 &- first, as: Int16.self)
    start.storeBytes(of: 0 &- last, toByteOffset: 2, as: Int16.self)
}

@inline(__always)
func setNumber(_ number: Float, _ offset: Int, _ index: Int, _ tile: UnsafeMutableRawPointer) {
    tile.storeBytes(of: number, toByteOffset: offset &+ index &* ActivationTile.step, as: Float.self)
}
#endif
