#if arch(x86_64)
import LeapBlocks
import _Builtin_intrinsics.intel

// Tiles of the formats with 32-element blocks. Most store them in 16 bytes: the first 16 elements in the low nibbles,
// the last 16 in the high nibbles.

/// Unpacks blocks with 16 bytes of 4-bit codes; see `UnpackKernel`.
///
/// - Parameters:
///   - qs: The offset of the 16 bytes.
///   - d: The offset of the half-precision scale.
///   - hasMinima: Whether a minimum follows it.
///   - value: Maps codes to signed bytes.
@inline(__always)
func unpackNibbleTile(
    _ operands: SlabOperands, byteCount: Int, qs: Int, d: Int, hasMinima: Bool = false,
    value: (_ codes: Bytes64) -> Bytes64
) {
    unpackTile(operands, groupSize: 32) { rows in
        setNibbles(rows, byteCount: byteCount, qs: qs, value: value)
        setBlockFactors(rows, byteCount: byteCount, d: d, hasMinima: hasMinima)
    }
}

/// Stores the values of the 4-bit codes in every block's 16 bytes.
@inline(__always)
func setNibbles(_ rows: RowsOfSlab, byteCount: Int, qs: Int, value: (_ codes: Bytes64) -> Bytes64) {
    forEachBlockWord(rows, byteCount: byteCount, qs: qs) { block, quad, codes in
        setQuad(8 &* block &+ quad, value(lowNibbles(codes)), rows)
        setQuad(8 &* block &+ quad &+ 4, value(highNibbles(codes)), rows)
    }
}

/// Unpacks blocks with 16 bytes of lower bits and 4 bytes of fifth bits; see `UnpackKernel`.
@inline(__always)
func unpackFiveBitTile(
    _ operands: SlabOperands, byteCount: Int, qs: Int, qh: Int, d: Int, hasMinima: Bool = false, zero: UInt8
) {
    unpackTile(operands, groupSize: 32) { rows in
        setNibbles(rows, byteCount: byteCount, qs: qs) { $0 }
        for block in 0..<rows.columns / 32 {
            let high = gatherWords(rows, offset: block &* byteCount &+ qh)
            for quad in 0..<8 {
                let place = rows.half + (8 &* block &+ quad) &* weightVectors
                store(subtract(zero, from: addFifthBits(bytes64(place), high, quad)), to: place)
            }
        }
        setBlockFactors(rows, byteCount: byteCount, d: d, hasMinima: hasMinima)
    }
}

/// Adds 16 to the bytes of a quad whose bits (`4 · quad` and the next three of the row's word) are set.
@inline(__always)
private func addFifthBits(_ low: Bytes64, _ high: Bytes64, _ quad: Int) -> Bytes64 {
    // Broadcasts the byte with the bit to all four bytes of a lane, then tests its lower or upper four bits.
    let byte = Bytes64(repeating: 0x0404_0404_0000_0000 &+ Int64(quad / 2) &* 0x0101_0101_0101_0101)
    let lanes = Bytes64(0, 8, 0, 8, 0, 8, 0, 8) &* Bytes64(repeating: 0x0101_0101_0101_0101)
    let spread = _mm512_shuffle_epi8(high, byte &+ lanes)
    let bits = Bytes64(repeating: quad & 1 == 0 ? 0x0804_0201_0804_0201 : Int64(bitPattern: 0x8040_2010_8040_2010))
    return _mm512_mask_add_epi8(low, _mm512_test_epi8_mask(spread, bits), low, splat(16))
}

/// Unpacks blocks of signed bytes; see `UnpackKernel`.
@inline(__always)
func unpackByteTile(_ operands: SlabOperands, byteCount: Int, qs: Int, d: Int) {
    unpackTile(operands, groupSize: 32) { rows in
        let last = rows.columns / 32 &- 1
        for pair in 0..<(last &+ 2) / 2 {
            let first = 2 &* pair &* byteCount &+ qs
            let second = min(2 &* pair &+ 1, last) &* byteCount &+ qs
            transpose {
                bytes64(source($0, rows) + first, source($0, rows) + second)
            } _: { word, quants in
                setQuad(16 &* pair &+ word, quants, rows)
            }
        }
        setBlockFactors(rows, byteCount: byteCount, d: d, hasMinima: false)
    }
}

/// Calls `body` with every four bytes, of all rows, of the 16 bytes in every block.
@inline(__always)
private func forEachBlockWord(
    _ rows: RowsOfSlab, byteCount: Int, qs: Int, _ body: (_ block: Int, _ quad: Int, _ bytes: Bytes64) -> Void
) {
    let last = rows.columns / 32 &- 1
    for first in stride(from: 0, to: last &+ 1, by: 4) {
        let a = first &* byteCount &+ qs
        let b = min(first &+ 1, last) &* byteCount &+ qs
        let c = min(first &+ 2, last) &* byteCount &+ qs
        let d = min(first &+ 3, last) &* byteCount &+ qs
        transpose { row in
            let row = source(row, rows)
            return bytes64(row + a, row + b, row + c, row + d)
        } _: { word, bytes in
            body(first &+ word / 4, word % 4, bytes)
        }
    }
}

/// One word of each of 16 rows.
@inline(__always)
private func gatherWords(_ rows: RowsOfSlab, offset: Int) -> Bytes64 {
    var words = SIMD16<Int32>()
    for row in 0..<16 { words[row] = (source(row, rows) + offset).loadUnaligned(as: Int32.self) }
    return unsafeBitCast(words, to: Bytes64.self)
}

/// Stores the half-precision scales of the blocks, and the minima that follow them where the format has them.
@inline(__always)
private func setBlockFactors(_ rows: RowsOfSlab, byteCount: Int, d: Int, hasMinima: Bool) {
    forEachFactorWord(rows, byteCount: byteCount, at: d) { place, words in
        store(lowerHalves(words), to: place + WeightTile.scales)
        if hasMinima { store(lowerHalves(_mm512_srli_epi32(words, 16)), to: place + WeightTile.minima) }
    }
}

/// Calls `body` with the word at an offset of every block, for all rows, and with the address of the block's factors
/// relative to the offsets of `WeightTile`.
@inline(__always)
func forEachFactorWord(
    _ rows: RowsOfSlab, byteCount: Int, at offset: Int,
    _ body: (_ place: UnsafeMutableRawPointer, _ words: Bytes64) -> Void
) {
    for block in 0..<rows.columns / 32 {
        body(rows.half + block &* weightVectors, gatherWords(rows, offset: block &* byteCount &+ offset))
    }
}

/// Converts the half-precision number in the lower bits of every word to single precision.
@inline(__always)
private func lowerHalves(_ words: Bytes64) -> Bytes64 {
    unsafeBitCast(_mm512_cvtph_ps(_mm512_cvtepi32_epi16(words)), to: Bytes64.self)
}

/// Four contiguous 16-byte pieces.
@inline(__always)
private func bytes64(
    _ a: UnsafeRawPointer, _ b: UnsafeRawPointer, _ c: UnsafeRawPointer, _ d: UnsafeRawPointer
) -> Bytes64 {
    var bytes = _mm512_broadcast_i32x4(bytes16(a))
    bytes = _mm512_mask_broadcast_i32x4(bytes, 0x00F0, bytes16(b))
    bytes = _mm512_mask_broadcast_i32x4(bytes, 0x0F00, bytes16(c))
    return _mm512_mask_broadcast_i32x4(bytes, 0xF000, bytes16(d))
}
#endif
