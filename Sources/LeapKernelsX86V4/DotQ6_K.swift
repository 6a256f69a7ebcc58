#if arch(x86_64)
import LeapBlocks
import _Builtin_intrinsics.intel

/// `Q6_K`: in each half of the block, 64 bytes hold the lower four bits of 2 × 64 elements, and 32 bytes the upper two
/// bits of 4 × 32.
let dotQ6_K: DotKernel = {
    let operands = ($0, $1, $2, $3, $4, $5, $6, $7, $8)
    dotRowTilesAndRest(operands) { operands in
        dotRowTiles(operands, byteCount: BlockQ6_K.byteCount, groupSize: 16, zero: 32, hasMinima: false) { rows in
            setQuants(rows, zero: 0)
            setByteScales(rows)
        }
    } rest: { operands in
        dotOffsetSuperBlocks(
            operands, byteCount: BlockQ6_K.byteCount, zero: 32, d: BlockQ6_K.d, quants: quants, scales: scales)
    }
}

@inline(__always)
private func scales(_ block: UnsafeRawPointer) -> Bytes32 {
    _mm256_cvtepi8_epi16(bytes16(block + BlockQ6_K.scales))
}

@inline(__always)
private func quants(_ block: UnsafeRawPointer) -> Quants256 {
    let (ql, qh) = (block + BlockQ6_K.ql, block + BlockQ6_K.qh)
    let (low0, low1) = (bytes64(ql), bytes64(ql + 64))
    let (high0, high1) = (twice32(qh), twice32(qh + 32))
    return (
        low0 & splat(15) | lowerPairs(high0),
        field(low0, shifts: (4, 4), mask: 15) | upperPairs(high0),
        low1 & splat(15) | lowerPairs(high1),
        field(low1, shifts: (4, 4), mask: 15) | upperPairs(high1)
    )
}

/// Bits 0 and 1 of the lower 32 bytes and bits 2 and 3 of the upper, as bits 4 and 5.
@inline(__always)
private func lowerPairs(_ high: Bytes64) -> Bytes64 {
    _mm512_sllv_epi16(high, splat16(4, 2)) & splat(0x30)
}

/// Bits 4 and 5 of the lower 32 bytes and bits 6 and 7 of the upper, as bits 4 and 5.
@inline(__always)
private func upperPairs(_ high: Bytes64) -> Bytes64 { field(high, shifts: (0, 2), mask: 0x30) }

/// Unpacks a tile; see `UnpackKernel`.
let unpackTileQ6_K: UnpackKernel = {
    unpackTile(($0, $1, $2, $3, $4), groupSize: 16, isPaired: true) { rows in
        setQuants(rows, zero: 32)
        // Two scales in each of eight lanes, the second of two groups first, then the factor.
        setScales(rows, count: 9) { block in
            let scales = _mm_shuffle_epi8(
                bytes16(block + BlockQ6_K.scales), Bytes16(0x0607_0405_0203_0001, 0x0E0F_0C0D_0A0B_0809))
            let d = unsafeBitCast(SIMD8<Float>(repeating: loadHalf(block + BlockQ6_K.d)), to: Bytes32.self)
            return join(_mm256_cvtepi8_epi16(scales), d)
        }
    }
}

/// Writes the quants of 16 rows, minus `zero`.
@inline(__always)
private func setQuants(_ rows: RowsOfSlab, zero: UInt8) {
    // 16 words of upper bits: 8 for each half of the block. The memory after the quants in a tile is still free.
    let upperBits = rows.half + 64 &* weightVectors
    transpose {
        bytes64(source($0, rows) + BlockQ6_K.qh)
    } _: { word, upper in
        store(upper, to: upperBits + word &* weightVectors)
    }
    for part in 0..<2 {
        transpose {
            bytes64(source($0, rows) + (BlockQ6_K.ql &+ 64 &* part))
        } _: { word, low in
            // Words 0 … 7 go with bits 0–1 and 4–5 of the upper bits, words 8 … 15 with bits 2–3 and 6–7.
            let upper = bytes64(upperBits + (8 &* part &+ word % 8) &* weightVectors)
            let quad = 32 &* part &+ word
            let (first, last) =
                word < 8
                ? (_mm512_slli_epi16(upper, 4), upper)
                : (_mm512_slli_epi16(upper, 2), _mm512_srli_epi16(upper, 2))
            setQuad(quad, subtract(zero, from: lowNibbles(low) | first & splat(0x30)), rows)
            setQuad(quad &+ 16, subtract(zero, from: highNibbles(low) | last & splat(0x30)), rows)
        }
    }
}

/// Writes the scales and factors of 16 blocks into a ``RowTile``.
@inline(__always)
private func setByteScales(_ rows: RowsOfSlab) {
    let words = wordsOfRows(rows, offset: BlockQ6_K.scales)
    setByteScales(0, words.0, rows)
    setByteScales(4, words.1, rows)
    setByteScales(8, words.2, rows)
    setByteScales(12, words.3, rows)
    // The last word of a block: two scales, and the factor.
    let factors = _mm512_srli_epi32(wordsOfRows(rows, offset: BlockQ6_K.byteCount &- 16).3, 16)
    setFloats(RowTile.d, halves: factors, rows)
}

/// Writes the scales of four groups, the four signed bytes of each lane.
@inline(__always)
private func setByteScales(_ group: Int, _ bytes: Bytes64, _ rows: RowsOfSlab) {
    for index in 0..<4 {
        let shift = UInt32(truncatingIfNeeded: 24 &- 8 &* index)
        setGroupScales(group &+ index, _mm512_srai_epi32(_mm512_slli_epi32(bytes, shift), 24), rows)
    }
}
#endif
