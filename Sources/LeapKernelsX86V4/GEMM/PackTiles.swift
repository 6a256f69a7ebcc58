#if arch(x86_64)
import LeapBlocks
import _Builtin_intrinsics.intel

// Packs quantised activations into tiles: 4 columns of each of 6 rows interleaved, raised by 128 to be unsigned.

/// Packs `Q8_K` blocks; see `PackKernel`.
let packQ8_K: PackKernel = { source, stride, rows, columns, tile in
    interleave((source, stride, rows, columns, tile)) { $0 + (BlockQ8_K.qs &+ $1) }
    for row in 0..<rows {
        let block = source + row &* stride
        setNumber(block.loadUnaligned(fromByteOffset: BlockQ8_K.d, as: Float.self), ActivationTile.scales, 0, row, tile)
    }
    interleaveSums((source, stride, rows, columns, tile))
    setBounds((source, stride, rows, columns, tile))
}

/// Stores the sums of every 16 quants, and of every 32. The last row stands in for rows beyond it.
@inline(__always)
private func interleaveSums(_ operands: SlabOperands) {
    @inline(__always) func halfSums(_ row: Int) -> Bytes32 {
        bytes32(operands.source + (min(row, operands.rows &- 1) &* operands.stride &+ BlockQ8_K.bsums))
    }
    @inline(__always) func sums(_ row: Int) -> Bytes64 {
        // Two neighbours each; two of these in a word.
        let sums = _mm256_cvtepi32_epi16(_mm256_madd_epi16(halfSums(row), Bytes32(repeating: 0x0001_0001_0001_0001)))
        return _mm512_castsi128_si512(sums)
    }
    @inline(__always) func wide(_ row: Int) -> Bytes64 { _mm512_castsi256_si512(halfSums(row)) }
    // Half of the last vector is not needed. What follows the sums is written next.
    interleave((sums(0), sums(1), sums(2), sums(3), sums(4), sums(5)), count: 4) { index, mixed in
        store(mixed, to: operands.tile + (ActivationTile.sums &+ 64 &* index))
    }
    interleave((wide(0), wide(1), wide(2), wide(3), wide(4), wide(5)), count: 8) { index, mixed in
        store(mixed, to: operands.tile + (ActivationTile.halfSums &+ 64 &* index))
    }
}

/// Stores the bounds of the sums over groups of columns.
@inline(__always)
private func setBounds(_ operands: SlabOperands) {
    var bound = Bytes64(), halfBound = Bytes64()
    for row in 0..<operands.rows {
        let quants = operands.source + (row &* operands.stride &+ BlockQ8_K.qs)
        for part in 0..<4 {
            let x = bytes64(quants + 64 &* part)
            // Lanes of 64 bits have sums over 8 columns.
            let positive = _mm512_sad_epu8(_mm512_max_epi8(x, Bytes64()), Bytes64())
            let all = _mm512_sad_epu8(_mm512_abs_epi8(x), Bytes64())
            let positives = addNeighbours(positive)
            let halves = addNeighbours(all)
            let negatives = _mm512_sub_epi32(halves, positives)
            halfBound = _mm512_max_epi32(halfBound, halves)
            bound = _mm512_max_epi32(bound, addQuarters(positives))
            bound = _mm512_max_epi32(bound, addQuarters(negatives))
        }
    }
    operands.tile.storeBytes(of: largest(bound), toByteOffset: ActivationTile.bound, as: Int32.self)
    operands.tile.storeBytes(of: largest(halfBound), toByteOffset: ActivationTile.halfBound, as: Int32.self)
}

/// Adds the other 64-bit lane of the same 128.
@inline(__always)
private func addNeighbours(_ sums: Bytes64) -> Bytes64 {
    _mm512_add_epi32(sums, _mm512_permutexvar_epi64(Bytes64(1, 0, 3, 2, 5, 4, 7, 6), sums))
}

/// Adds the other 128-bit lane of the same 256.
@inline(__always)
private func addQuarters(_ sums: Bytes64) -> Bytes64 {
    _mm512_add_epi32(sums, _mm512_permutexvar_epi64(Bytes64(2, 3, 0, 1, 6, 7, 4, 5), sums))
}

@inline(__always)
private func largest(_ lanes: Bytes64) -> Int32 { _mm512_reduce_max_epi32(lanes) }

/// Packs `Q8_0` blocks; see `PackKernel`.
let packQ8_0: PackKernel = { source, stride, rows, columns, tile in
    interleave((source, stride, rows, columns, tile)) {
        $0 + ($1 / 32 &* BlockQ8_0.byteCount &+ BlockQ8_0.qs)
    }
    for row in 0..<rows {
        for group in 0..<columns / 32 {
            let block = source + (row &* stride &+ group &* BlockQ8_0.byteCount)
            setNumber(loadHalf(block + BlockQ8_0.d), ActivationTile.scales, group, row, tile)
        }
    }
}

/// Packs `Q8_1` blocks; see `PackKernel`.
let packQ8_1: PackKernel = { source, stride, rows, columns, tile in
    interleave((source, stride, rows, columns, tile)) {
        $0 + ($1 / 32 &* BlockQ8_1.byteCount &+ BlockQ8_1.qs)
    }
    for row in 0..<rows {
        for group in 0..<columns / 32 {
            let block = source + (row &* stride &+ group &* BlockQ8_1.byteCount)
            setNumber(loadHalf(block + BlockQ8_1.d), ActivationTile.scales, group, row, tile)
            setNumber(loadHalf(block + BlockQ8_1.s), ActivationTile.sums, group, row, tile)
        }
    }
}

/// Packs floats: the numbers of 6 rows interleaved.
let packFloats: PackKernel = { source, stride, rows, columns, tile in
    for row in 0..<rows {
        let row = (source: source + row &* stride, tile: tile + 4 &* row)
        for column in 0..<columns {
            let number = row.source.loadUnaligned(fromByteOffset: 4 &* column, as: Float.self)
            row.tile.storeBytes(of: number, toByteOffset: ActivationTile.step &* column, as: Float.self)
        }
    }
}

/// Interleaves the quants of 6 rows in groups of four bytes, 32 columns at a time: 8 words from each row become 48,
/// which are three vectors. The last row stands in for rows beyond it.
///
/// - Parameter quants: The address of a row's quants from a column on.
@inline(__always)
private func interleave(
    _ operands: SlabOperands, quants: (_ row: UnsafeRawPointer, _ column: Int) -> UnsafeRawPointer
) {
    let last = operands.rows &- 1
    for column in stride(from: 0, to: operands.columns, by: 32) {
        @inline(__always) func words(_ row: Int) -> Bytes64 {
            let source = quants(operands.source + min(row, last) &* operands.stride, column)
            return _mm512_castsi256_si512(bytes32(source))
        }
        let place = operands.tile + column / 4 &* ActivationTile.step
        interleave((words(0), words(1), words(2), words(3), words(4), words(5)), count: 8) { index, mixed in
            store(mixed ^ splat(0x80), to: place + 64 &* index)
        }
    }
}

/// A vector of each of 6 rows.
typealias SixRows = (Bytes64, Bytes64, Bytes64, Bytes64, Bytes64, Bytes64)

/// Interleaves the first `count` 32-bit words of 6 rows: the first words of all rows, then the second, and so on.
///
/// - Parameters:
///   - count: 8 or 16.
///   - body: Receives the 3 or 6 resulting vectors.
@inline(__always)
func interleave(_ rows: SixRows, count: Int, _ body: (_ index: Int, _ mixed: Bytes64) -> Void) {
    for vector in 0..<(6 &* count &+ 15) / 16 {
        // Lane i of the vector is word (16 · vector + i) / 6 of row (16 · vector + i) % 6.
        var indices = SIMD16<Int32>()
        for i in 0..<16 { indices[i] = Int32(truncatingIfNeeded: (16 &* vector &+ i) / 6) }
        let word = unsafeBitCast(indices, to: Bytes64.self)
        var mixed = _mm512_permutexvar_epi32(word, rows.0)
        mixed = _mm512_mask_permutexvar_epi32(mixed, lanes(vector, ofRow: 1), word, rows.1)
        mixed = _mm512_mask_permutexvar_epi32(mixed, lanes(vector, ofRow: 2), word, rows.2)
        mixed = _mm512_mask_permutexvar_epi32(mixed, lanes(vector, ofRow: 3), word, rows.3)
        mixed = _mm512_mask_permutexvar_epi32(mixed, lanes(vector, ofRow: 4), word, rows.4)
        mixed = _mm512_mask_permutexvar_epi32(mixed, lanes(vector, ofRow: 5), word, rows.5)
        body(vector, mixed)
    }
}

/// The lanes of a vector of interleaved words that belong to a row.
@inline(__always)
private func lanes(_ vector: Int, ofRow row: Int) -> UInt16 {
    // Every sixth lane, from the first one i with (16 · vector + i) % 6 == row.
    let first = (row &+ 2 &* vector) % 6
    return UInt16(truncatingIfNeeded: 0x1041 &<< first)
}

@inline(__always)
private func setNumber(_ number: Float, _ offset: Int, _ index: Int, _ row: Int, _ tile: UnsafeMutableRawPointer) {
    tile.storeBytes(of: number, toByteOffset: offset &+ index &* ActivationTile.step &+ 4 &* row, as: Float.self)
}
#endif
