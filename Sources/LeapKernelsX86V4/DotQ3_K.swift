#if arch(x86_64)
import LeapBlocks
import _Builtin_intrinsics.intel

/// `Q3_K`: each 32 bytes hold the lower two bits of 4 × 32 elements; bit `g` of `hmask[l]` is the third bit of element
/// `l` of the `g`-th 32.
let dotQ3_K: DotKernel = {
    dotQuartets(
        ($0, $1, $2, $3, $4, $5, $6, $7, $8), byteCount: BlockQ3_K.byteCount, unpack: unpack, prepare: prepare,
        add: addGroups)
}

@inline(__always)
private func prepare(_ block: UnsafeRawPointer) -> SuperActivations {
    let quants = halvedQuants(block)
    return (quants, zeroPoints(quants, 4), noMinima, SIMD4(repeating: activationScale(block)))
}

@inline(__always)
private func unpack(_ blocks: BlockAddresses) -> SuperBlockQuartet {
    let scales = scales(blocks)
    let (ab, cd) = (scales.lowHalf, scales.highHalf)
    return (
        (quants(blocks.a), quants(blocks.b), quants(blocks.c), quants(blocks.d)),
        (spread(ab.lowHalf), spread(ab.highHalf), spread(cd.lowHalf), spread(cd.highHalf)),
        halves(BlockQ3_K.d, of: blocks), noMinima, SIMD4(repeating: 0)
    )
}

@inline(__always)
private func quants(_ block: UnsafeRawPointer) -> Quants256 {
    let low = halvedBitPairs(block + BlockQ3_K.qs)
    // Bit j of a byte belongs to pair j of the first half, bit 4 + j to pair j of the second.
    let high = _mm512_srlv_epi16(twice32(block + BlockQ3_K.hmask), splat16(0, 4))
    return (
        low.0 | _mm512_slli_epi16(high, 2) & splat(4), low.1 | _mm512_slli_epi16(high, 1) & splat(4),
        low.2 | high & splat(4), low.3 | _mm512_srli_epi16(high, 1) & splat(4)
    )
}

@inline(__always)
private func spread(_ scales: Bytes16) -> SpreadScales { spreadHalvedScales(_mm256_cvtepi8_epi16(scales)) }

/// The 16 scales minus 32 of each block, one block per quarter: their lower four bits are in 8 bytes (2 × 8 scales),
/// the upper two in the next 4 (4 × 4 scales).
@inline(__always)
private func scales(_ blocks: BlockAddresses) -> Bytes64 {
    // The 12 bytes immediately precede the factor: the 16 bytes that end with them lie within the block.
    let headers = quarters(BlockQ3_K.scales &- 4, of: blocks)
    let bytes = _mm512_shuffle_epi8(headers, inEveryQuarter(Bytes16(0x0B0A_0908_0706_0504, 0x0B0A_0908_0706_0504)))
    let lower = _mm512_srlv_epi64(bytes, inEveryQuarter(Bytes16(0, 4))) & splat(15)
    let words = _mm512_shuffle_epi8(headers, inEveryQuarter(Bytes16(0x0F0E_0D0C_0F0E_0D0C, 0x0F0E_0D0C_0F0E_0D0C)))
    let upper = _mm512_srlv_epi32(words, inEveryQuarter(Bytes16(2 &<< 32, 4 | 6 &<< 32))) & splat(3)
    return _mm512_sub_epi8(lower | _mm512_slli_epi16(upper, 4), splat(32))
}

/// Unpacks a tile; see `UnpackKernel`. Quants from −4 to 3 times scales from −32 to 31 reach 128, but their negatives are
/// signed bytes, so that groups need no factor.
let unpackTileQ3_K: UnpackKernel = {
    unpackTile(($0, $1, $2, $3, $4), groupSize: 256) { rows in
        setBitPairs(rows, qs: BlockQ3_K.qs)
        addUpperBits(rows, bits: BlockQ3_K.hmask, number: 4, zero: 0)
        // The lower four bits of 8 scales, those of the next 8 above them, then the upper two of all: `scales`.
        let bytes = wordsOfRows(rows, offset: BlockQ3_K.scales &- 4)
        scaleQuads(0, lowNibbles(bytes.1) | upperBits(bytes.3, shift: 0), rows, negativeProduct)
        scaleQuads(4, lowNibbles(bytes.2) | upperBits(bytes.3, shift: 2), rows, negativeProduct)
        scaleQuads(8, highNibbles(bytes.1) | upperBits(bytes.3, shift: 4), rows, negativeProduct)
        scaleQuads(12, highNibbles(bytes.2) | upperBits(bytes.3, shift: 6), rows, negativeProduct)
        // The last word of a block: two bytes of scales, and the factor.
        let factors = _mm512_srli_epi32(wordsOfRows(rows, offset: BlockQ3_K.byteCount &- 16).3, 16)
        setFloats(WeightTile.scales, halves: factors ^ splat32(0x8000, 0x8000), rows)
    }
}

/// The bits `shift` and `shift + 1` of every byte, as bits 4 and 5.
@inline(__always)
private func upperBits(_ bytes: Bytes64, shift: UInt32) -> Bytes64 {
    _mm512_slli_epi16(_mm512_srli_epi16(bytes, shift) & splat(3), 4)
}

/// `−(q − 4) · (s − 32)` of every byte, with the scale in 16-bit lanes.
@inline(__always)
private func negativeProduct(_ quants: Bytes64, _ scale: Bytes64) -> Bytes64 {
    let scale = _mm512_sub_epi16(scale, splat16(32))
    let even = _mm512_mullo_epi16(quants & splat16(0x00FF), scale) & splat16(0x00FF)
    let odd = _mm512_mullo_epi16(quants & splat16(0xFF00), scale)
    let offset = _mm512_slli_epi16(scale & splat16(0x003F), 2)
    return _mm512_sub_epi8(offset | _mm512_slli_epi16(offset, 8), even | odd)
}
#endif
