#if arch(arm64)
import LeapBlocks
import _Builtin_intrinsics.arm.neon

// Packs quantised activations into tiles: the words of 6 rows interleaved. Slots of rows that do not exist are left
// unchanged.

/// Packs `Q8_K` blocks; see `PackKernel`.
let packQ8_K: PackKernel = { source, stride, rows, columns, tile in
    for row in 0..<rows {
        let block = source + row &* stride
        for column in Swift.stride(from: 0, to: 256, by: 16) {
            setColumns(signedBytes(block + (BlockQ8_K.qs &+ column)), ActivationTile.quants, column, row, tile)
        }
        setDigits(block + BlockQ8_K.bsums, row, tile)
        setNumber(block.loadUnaligned(fromByteOffset: BlockQ8_K.d, as: Float.self), ActivationTile.scales, 0, row, tile)
    }
}

/// Packs `Q8_0` blocks; see `PackKernel`.
let packQ8_0: PackKernel = {
    packBlocks(($0, $1, $2, $3, $4), byteCount: BlockQ8_0.byteCount, qs: BlockQ8_0.qs) { block, index, row, tile in
        setNumber(loadHalf(block + BlockQ8_0.d), ActivationTile.scales, index, row, tile)
    }
}

/// Packs `Q8_1` blocks; see `PackKernel`.
let packQ8_1: PackKernel = {
    packBlocks(($0, $1, $2, $3, $4), byteCount: BlockQ8_1.byteCount, qs: BlockQ8_1.qs) { block, index, row, tile in
        setNumber(loadHalf(block + BlockQ8_1.d), ActivationTile.scales, index, row, tile)
        setNumber(loadHalf(block + BlockQ8_1.s), ActivationTile.sums, index, row, tile)
    }
}

/// Packs blocks of 32; `setNumbers` writes their scales and, where they have them, sums.
@inline(__always)
private func packBlocks(
    _ operands: SlabOperands, byteCount: Int, qs: Int,
    setNumbers: (_ block: UnsafeRawPointer, _ index: Int, _ row: Int, _ tile: UnsafeMutableRawPointer) -> Void
) {
    for row in 0..<operands.rows {
        for index in 0..<operands.columns / 32 {
            let block = operands.source + (row &* operands.stride &+ index &* byteCount)
            let quants = quants(block + qs)
            setColumns(quants.0, ActivationTile.quants, 32 &* index, row, operands.tile)
            setColumns(quants.1, ActivationTile.quants, 32 &* index &+ 16, row, operands.tile)
            setNumbers(block, index, row, operands.tile)
        }
    }
}

/// Stores the high and low digits of a block's 16 sums, and of the 8 sums of two neighbours each.
@inline(__always)
private func setDigits(_ sums: UnsafeRawPointer, _ row: Int, _ tile: UnsafeMutableRawPointer) {
    let first = sums.loadUnaligned(as: SIMD8<Int16>.self)
    let last = sums.loadUnaligned(fromByteOffset: 16, as: SIMD8<Int16>.self)
    let both = vpaddq_s16(first, last)
    setColumns(vcombine_s8(highDigits(first), highDigits(last)), ActivationTile.fineDigits, 0, row, tile)
    setColumns(vcombine_s8(lowDigits(first), lowDigits(last)), ActivationTile.fineDigits, 16, row, tile)
    setColumns(vcombine_s8(highDigits(both), lowDigits(both)), ActivationTile.digits, 0, row, tile)
}

/// ⌊sum / 128⌋.
@inline(__always)
private func highDigits(_ sums: SIMD8<Int16>) -> SIMD8<Int8> { vmovn_s16(vshlq_s16(sums, vdupq_n_s16(-7))) }

/// The remainder of a sum modulo 128, 0 … 127.
@inline(__always)
private func lowDigits(_ sums: SIMD8<Int16>) -> SIMD8<Int8> { vmovn_s16(vandq_s16(sums, vdupq_n_s16(127))) }

@inline(__always)
private func setColumns(
    _ columns: SignedBytes, _ offset: Int, _ column: Int, _ row: Int, _ tile: UnsafeMutableRawPointer
) {
    store(columns, row: row, of: tileShape.activationRows, to: tile + (offset &+ column / 8 &* ActivationTile.step))
}

@inline(__always)
private func setNumber(_ number: Float, _ offset: Int, _ index: Int, _ row: Int, _ tile: UnsafeMutableRawPointer) {
    tile.storeBytes(of: number, toByteOffset: offset &+ index &* ActivationTile.numbers &+ 4 &* row, as: Float.self)
}
#endif
