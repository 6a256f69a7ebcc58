#if arch(x86_64)
import LeapBlocks
import _Builtin_intrinsics.intel

/// `Q6_K`: in each half of the block, 64 bytes carry the lower four bits of two times 64 elements, and 32 bytes the
/// upper two bits of four times 32.
let dotQ6_K: DotKernel = {
    dotOffsetSuperBlocks(
        ($0, $1, $2, $3, $4, $5, $6, $7, $8), byteCount: BlockQ6_K.byteCount, zero: 32, d: BlockQ6_K.d, quants: quants,
        scales: scales)
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
    unpackTile(($0, $1, $2, $3, $4), groupSize: 16) { rows in
        // 16 words of upper bits: 8 for each half of the block.
        transpose {
            bytes64(rows.source($0) + BlockQ6_K.qh)
        } _: { word, high in
            let first = 32 &* (word / 8) &+ word % 8
            setQuad(first, high & splat(0x03), rows)
            setQuad(first &+ 8, _mm512_srli_epi16(high, 2) & splat(0x03), rows)
            setQuad(first &+ 16, _mm512_srli_epi16(high, 4) & splat(0x03), rows)
            setQuad(first &+ 24, _mm512_srli_epi16(high, 6) & splat(0x03), rows)
        }
        for part in 0..<2 {
            transpose {
                bytes64(rows.source($0) + (BlockQ6_K.ql &+ 64 &* part))
            } _: { word, low in
                addLowerBits(lowNibbles(low), 32 &* part &+ word, rows)
                addLowerBits(highNibbles(low), 32 &* part &+ word &+ 16, rows)
            }
        }
        setFineScales(rows) { block in
            let d = loadHalf(block + BlockQ6_K.d)
            return scaled(_mm512_cvtepi8_epi32(bytes16(block + BlockQ6_K.scales)), d, d)
        }
    }
}

/// Puts lower bits below the upper ones that a quad already has, and takes the zero point off.
@inline(__always)
private func addLowerBits(_ low: Bytes64, _ quad: Int, _ rows: RowsOfSlab) {
    setQuad(quad, subtract(32, from: low | _mm512_slli_epi16(storedQuad(quad, rows), 4)), rows)
}
#endif
