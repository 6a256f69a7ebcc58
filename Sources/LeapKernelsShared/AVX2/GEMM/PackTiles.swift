#if arch(x86_64)
import LeapBlocks
import _Builtin_intrinsics.intel

// Quantised activations become tiles: rows stay rows, and get the numbers beside them that the multiplication wants.

/// Packs `Q8_K` blocks; see `PackKernel`.
let packQ8_K: PackKernel = { source, stride, rows, columns, tile in
    for row in 0..<rows {
        let block = source + row &* stride
        let factors = tile + row &* ActivationTile.factorStep
        for part in 0..<16 {
            let quants = bytes16(block + (BlockQ8_K.qs &+ 16 &* part))
            copy(quants, row: row, column: 16 &* part, to: tile)
            setStart(lanePairs(quants), part, factors)
        }
        let sums = bytes32(block + BlockQ8_K.bsums)
        store(sums, to: factors + ActivationTile.Q8_K.halfSums)
        let pairs = unsafeBitCast(_mm256_madd_epi16(sums, splat16(1)), to: (Bytes16, Bytes16).self)
        store(_mm_packs_epi32(pairs.0, pairs.1), to: factors + ActivationTile.Q8_K.sums)
        let scale = block.loadUnaligned(fromByteOffset: BlockQ8_K.d, as: Float.self)
        setNumber(scale, ActivationTile.Q8_K.scale, 0, factors)
    }
}

/// Packs `Q8_0` blocks; see `PackKernel`.
let packQ8_0: PackKernel = {
    packBlocks(($0, $1, $2, $3, $4), byteCount: BlockQ8_0.byteCount, quants: BlockQ8_0.qs) { block, index, factors in
        setNumber(loadHalf(block + BlockQ8_0.d), ActivationTile.scales, index, factors)
    }
}

/// Packs `Q8_1` blocks; see `PackKernel`.
let packQ8_1: PackKernel = {
    packBlocks(($0, $1, $2, $3, $4), byteCount: BlockQ8_1.byteCount, quants: BlockQ8_1.qs) { block, index, factors in
        setNumber(loadHalf(block + BlockQ8_1.d), ActivationTile.scales, index, factors)
        setNumber(loadHalf(block + BlockQ8_1.s), ActivationTile.sums, index, factors)
    }
}

/// Packs floats: rows of ``floatSlabColumns``.
let packFloats: PackKernel = { source, stride, rows, columns, tile in
    for row in 0..<rows {
        (tile + row &* floatRowBytes).copyMemory(from: source + row &* stride, byteCount: 4 &* columns)
    }
}

/// Packs blocks of 32; `setNumbers` adds what else they have.
@inline(__always)
private func packBlocks(
    _ operands: SlabOperands, byteCount: Int, quants: Int,
    setNumbers: (_ block: UnsafeRawPointer, _ index: Int, _ factors: UnsafeMutableRawPointer) -> Void
) {
    for row in 0..<operands.rows {
        let factors = operands.tile + row &* ActivationTile.factorStep
        for index in 0..<operands.columns / 32 {
            let block = operands.source + (row &* operands.stride &+ index &* byteCount)
            let (low, high) = (bytes16(block + quants), bytes16(block + (quants &+ 16)))
            copy(low, row: row, column: 32 &* index, to: operands.tile)
            copy(high, row: row, column: 32 &* index &+ 16, to: operands.tile)
            setStart(lanePairs(low) &+ lanePairs(high), index, factors)
            setNumbers(block, index, factors)
        }
    }
}

/// Writes 16 quants as bytes and as words.
@inline(__always)
private func copy(_ quants: Bytes16, row: Int, column: Int, to tile: UnsafeMutableRawPointer) {
    store(quants, to: tile + (ActivationTile.bytes &+ row &* ActivationTile.byteStep &+ column))
    let words = tile + (ActivationTile.words &+ row &* ActivationTile.wordStep &+ 2 &* column)
    store(_mm256_cvtepi8_epi16(quants), to: words)
}

/// Of four groups of four quants, the sums of the first two and of the last two of each.
@inline(__always)
private func lanePairs(_ quants: Bytes16) -> SIMD8<Int16> {
    unsafeBitCast(_mm_maddubs_epi16(_mm_set1_epi8(1), quants), to: SIMD8<Int16>.self)
}

@inline(__always)
private func setStart(_ sums: SIMD8<Int16>, _ index: Int, _ factors: UnsafeMutableRawPointer) {
    let first = sums[0] &+ sums[2] &+ sums[4] &+ sums[6]
    let last = sums[1] &+ sums[3] &+ sums[5] &+ sums[7]
    let start = factors + (ActivationTile.starts &+ 4 &* index)
    start.storeBytes(of: 0 &- first, as: Int16.self)
    start.storeBytes(of: 0 &- last, toByteOffset: 2, as: Int16.self)
}

@inline(__always)
private func setNumber(_ number: Float, _ offset: Int, _ index: Int, _ factors: UnsafeMutableRawPointer) {
    factors.storeBytes(of: number, toByteOffset: offset &+ 4 &* index, as: Float.self)
}
#endif
