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

/// The 16 scales minus 32: their lower four bits are in 8 bytes (2 × 8 scales), the upper two in the next 4 (4 × 4
/// scales).
@inline(__always)
private func scales(_ block: UnsafeRawPointer) -> Bytes32 {
    let bytes = block + BlockQ3_K.scales
    let low = Bytes16(repeating: bytes.loadUnaligned(as: Int64.self))
    let high = Bytes16(repeating: Int64(bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self)) &* 0x1_0000_0001)
    let lower = _mm_srlv_epi64(low, Bytes16(0, 4)) & Bytes16(repeating: 0x0F0F_0F0F_0F0F_0F0F)
    let shifts = Bytes16(2 &<< 32, 4 | 6 &<< 32)
    let upper = _mm_srlv_epi32(high, shifts) & Bytes16(repeating: 0x0303_0303_0303_0303)
    return _mm256_sub_epi16(_mm256_cvtepi8_epi16(lower | upper &<< 4), Bytes32(repeating: 0x0020_0020_0020_0020))
}

/// Unpacks a tile; see `UnpackKernel`.
let unpackTileQ3_K: UnpackKernel = {
    unpackTile(($0, $1, $2, $3, $4), groupSize: 16) { rows in
        setBitPairs(rows, qs: BlockQ3_K.qs)
        addUpperBits(rows, bits: BlockQ3_K.hmask, number: 4, zero: 4)
        setFineScales(rows) { block in
            let d = loadHalf(block + BlockQ3_K.d)
            return scaled(_mm512_cvtepi16_epi32(scales(block)), d, d)
        }
    }
}
#endif
