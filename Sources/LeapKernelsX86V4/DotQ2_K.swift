#if arch(x86_64)
import LeapBlocks
import _Builtin_intrinsics.intel

/// `Q2_K`: 16 groups of 16 elements; each byte of `scales` has a group's scale in its low nibble and its minimum in its
/// high nibble.
let dotQ2_K: DotKernel = {
    dotQuartets(
        ($0, $1, $2, $3, $4, $5, $6, $7, $8), byteCount: BlockQ2_K.byteCount, unpack: unpack,
        prepare: prepare, add: addGroups)
}

@inline(__always)
private func unpack(_ blocks: BlockAddresses) -> SuperBlockQuartet {
    let factors = factors(blocks)
    return (
        (quants(blocks.a), quants(blocks.b), quants(blocks.c), quants(blocks.d)),
        (scales(blocks.a), scales(blocks.b), scales(blocks.c), scales(blocks.d)),
        factors.evenHalf, pairsOfMinima(blocks), factors.oddHalf
    )
}

@inline(__always)
private func prepare(_ block: UnsafeRawPointer) -> SuperActivations {
    (halvedQuants(block), noStart, pairedSums(block), SIMD4(repeating: activationScale(block)))
}

@inline(__always)
private func scales(_ block: UnsafeRawPointer) -> SpreadScales {
    let bytes = _mm256_cvtepu8_epi16(bytes16(block + BlockQ2_K.scales))
    return spreadHalvedScales(bytes & Bytes32(repeating: 0x000F_000F_000F_000F))
}

@inline(__always)
private func quants(_ block: UnsafeRawPointer) -> Quants256 { halvedBitPairs(block + BlockQ2_K.qs) }

/// `d` and `dmin` of each block.
@inline(__always)
private func factors(_ blocks: BlockAddresses) -> SIMD8<Float> {
    _mm256_cvtph_ps(
        unsafeBitCast(
            SIMD4(factors(blocks.a), factors(blocks.b), factors(blocks.c), factors(blocks.d)), to: Bytes16.self))
}

@inline(__always)
private func factors(_ block: UnsafeRawPointer) -> UInt32 { (block + BlockQ2_K.d).loadUnaligned(as: UInt32.self) }

/// Two minima per lane, with those of the four blocks side by side: for the first 8 groups, and for the last 8.
@inline(__always)
private func pairsOfMinima(_ blocks: BlockAddresses) -> (Bytes64, Bytes64) {
    let minima = _mm512_srli_epi16(quarters(BlockQ2_K.scales, of: blocks), 4) & splat(15)
    return (
        transposedQuarters(_mm512_unpacklo_epi8(minima, Bytes64())),
        transposedQuarters(_mm512_unpackhi_epi8(minima, Bytes64()))
    )
}

/// The sums of the 16 groups of a `Q8_K` block, pairs of them repeated in all lanes of a quarter.
@inline(__always)
private func pairedSums(_ block: UnsafeRawPointer) -> (Bytes64, Bytes64) {
    let sums = _mm512_castsi256_si512(bytes32(block + BlockQ8_K.bsums))
    let lower = Bytes64(0, 0, 1, 1, 2, 2, 3, 3) &* Bytes64(repeating: 0x1_0000_0001)
    let upper = lower &+ Bytes64(repeating: 0x4_0000_0004)
    return (_mm512_permutexvar_epi32(lower, sums), _mm512_permutexvar_epi32(upper, sums))
}

/// Unpacks a tile; see `UnpackKernel`. Quants up to 3 times scales up to 15 are bytes, so that groups need no factor.
let unpackTileQ2_K: UnpackKernel = {
    unpackTile(($0, $1, $2, $3, $4), groupSize: 256) { rows in
        setBitPairs(rows, qs: BlockQ2_K.qs)
        let bytes = wordsOfRows(rows, offset: BlockQ2_K.scales)
        setGroups(0, bytes.0, rows)
        setGroups(4, bytes.1, rows)
        setGroups(8, bytes.2, rows)
        setGroups(12, bytes.3, rows)
        // The last word of a block has both factors.
        let factors = wordsOfRows(rows, offset: BlockQ2_K.byteCount &- 16).3
        setFloats(WeightTile.scales, halves: factors, rows)
        let negative = _mm512_srli_epi32(factors, 16) ^ splat32(0x8000, 0x8000)
        setFloats(WeightTile.minima &+ 8 &* weightVectors, halves: negative, rows)
    }
}

/// Multiplies the quants of four groups by their scales, and stores the groups' minima; each lane of `bytes` has those of
/// its row.
@inline(__always)
private func setGroups(_ group: Int, _ bytes: Bytes64, _ rows: RowsOfSlab) {
    scaleQuads(group, lowNibbles(bytes), rows) { quants, scale in _mm512_mullo_epi16(quants, scale) }
    let minima = highNibbles(bytes)
    for pair in 0..<2 {
        let places = 0x8001_8000 &+ Int64(pair) &* 0x0002_0002
        store(
            _mm512_shuffle_epi8(minima, inEveryLane(places)),
            to: rows.half + (WeightTile.minima &+ (group / 2 &+ pair) &* weightVectors))
    }
}
#endif
