#if arch(x86_64)
import LeapBlocks
import _Builtin_intrinsics.intel

/// Dot products of rows of blocks that begin like `Q4_K`'s.
///
/// - Parameters:
///   - quants: Reads the quants of a block, with the groups of 32 in the order 0 2, 1 3, 4 6, 5 7.
///   - setQuants: Writes the quants of 16 rows into a ``RowTile``.
@inline(__always)
func dotSixBitSuperBlocks(
    _ operands: DotOperands, byteCount: Int, quants: (_ block: UnsafeRawPointer) -> Quants256,
    setQuants: (_ rows: RowsOfSlab) -> Void
) {
    dotRowTilesAndRest(operands) { operands in
        dotRowTiles(operands, byteCount: byteCount, groupSize: 32, zero: 0, hasMinima: true) { rows in
            setQuants(rows)
            setSixBitIntegers(rows)
        }
    } rest: { operands in
        dotSixBitQuartets(operands, byteCount: byteCount, quants: quants)
    }
}

@inline(__always)
private func dotSixBitQuartets(
    _ operands: DotOperands, byteCount: Int, quants: (_ block: UnsafeRawPointer) -> Quants256
) {
    dotQuartets(
        operands, byteCount: byteCount,
        unpack: { blocks in
            let headers = quarters(bytes16(blocks.a), bytes16(blocks.b), bytes16(blocks.c), bytes16(blocks.d))
            let groups = sixBitScales(headers)
            let scales = _mm512_unpacklo_epi8(groups, Bytes64())
            let factors = factors(headers)
            return (
                (quants(blocks.a), quants(blocks.b), quants(blocks.c), quants(blocks.d)),
                (doubled(scales, 0), doubled(scales, 1), doubled(scales, 2), doubled(scales, 3)),
                factors.evenHalf, (transposedQuarters(_mm512_unpackhi_epi8(groups, Bytes64())), Bytes64()),
                factors.oddHalf
            )
        },
        prepare: { block in
            let x = block + BlockQ8_K.qs
            let quants = (
                bytes64(x, x + 64), bytes64(x + 32, x + 96), bytes64(x + 128, x + 192), bytes64(x + 160, x + 224)
            )
            return (quants, noStart, (pairedSums(block), Bytes64()), SIMD4(repeating: activationScale(block)))
        }, add: addGroups)
}

/// `d` and `dmin` of each row, from the blocks' first 16 bytes.
@inline(__always)
private func factors(_ headers: Bytes64) -> SIMD8<Float> {
    let firstWords = _mm512_permutexvar_epi32(Bytes64(0x4_0000_0000, 0xC_0000_0008, 0, 0, 0, 0, 0, 0), headers)
    return _mm256_cvtph_ps(_mm512_castsi512_si128(firstWords))
}

/// The 8 scales of row `index`, each for two groups.
@inline(__always)
private func doubled(_ scales: Bytes64, _ index: Int64) -> SpreadScales {
    let lower = quadruple(0, 1, 0, 1, 2, 3, 2, 3) &+ splat16(8 &* index)
    return (_mm512_permutexvar_epi16(lower, scales), _mm512_permutexvar_epi16(lower &+ splat16(4), scales))
}

/// The sums of the eight groups of 32 of a `Q8_K` block, pairs of them repeated in all lanes of a quarter.
@inline(__always)
private func pairedSums(_ activations: UnsafeRawPointer) -> Bytes64 {
    let sums = activations + BlockQ8_K.bsums
    let quarters = Bytes64(0, 0, 1, 1, 2, 2, 3, 3) &* Bytes64(repeating: 0x1_0000_0001)
    let pairs = _mm_hadd_epi16(bytes16(sums), bytes16(sums + 16))
    return _mm512_permutexvar_epi32(quarters, _mm512_castsi128_si512(pairs))
}

/// Writes scales, minima and factors of 16 blocks into a ``RowTile``; `SixBitScales.swift` documents their layout. With
/// one word of every row per vector, this takes fewer instructions than with one block per quarter.
@inline(__always)
private func setSixBitIntegers(_ rows: RowsOfSlab) {
    let words = wordsOfRows(rows, offset: 0)
    setFloats(RowTile.d, halves: words.0, rows)
    setFloats(RowTile.dmin, halves: _mm512_srli_epi32(words.0, 16), rows)
    setBytes(0, scales: words.1 & splat(0x3F), minima: words.2 & splat(0x3F), rows)
    setBytes(
        4, scales: lowNibbles(words.3) | _mm512_srli_epi32(words.1, 2) & splat(0x30),
        minima: highNibbles(words.3) | _mm512_srli_epi32(words.2, 2) & splat(0x30), rows)
}

/// Writes the scales and minima of four groups, one per byte of each lane.
@inline(__always)
private func setBytes(_ group: Int, scales: Bytes64, minima: Bytes64, _ rows: RowsOfSlab) {
    for index in 0..<4 {
        let scales = _mm512_srli_epi32(scales, UInt32(truncatingIfNeeded: 8 &* index))
        setGroupScales(group &+ index, scales & splat32(0xFF, 0xFF), rows)
    }
    // Widens two bytes of each lane to 16-bit numbers: index 0x80 selects zero.
    setMinima(group / 2, _mm512_shuffle_epi8(minima, inEveryLane(0x8001_8000)), rows)
    setMinima(group / 2 &+ 1, _mm512_shuffle_epi8(minima, inEveryLane(0x8003_8002)), rows)
}

/// The 8 scales and then the 8 minima of one block per quarter; `SixBitScales.swift` documents their layout.
@inline(__always)
private func sixBitScales(_ headers: Bytes64) -> Bytes64 {
    let low = _mm512_srlv_epi32(
        _mm512_shuffle_epi8(headers, words(1, 3, 2, 3)), inEveryQuarter(Bytes16(0, 4 &<< 32)))
    let high = _mm512_srli_epi32(_mm512_shuffle_epi8(headers, words(0, 1, 0, 2)), 2)
    return low & inEveryQuarter(Bytes16(0x0F0F_0F0F_3F3F_3F3F, 0x0F0F_0F0F_3F3F_3F3F))
        | high & inEveryQuarter(Bytes16(0x3030_3030_0000_0000, 0x3030_3030_0000_0000))
}

/// The byte indices of four 32-bit words of each quarter.
@inline(__always)
private func words(_ a: Int64, _ b: Int64, _ c: Int64, _ d: Int64) -> Bytes64 {
    let bytes = Int64(0x0302_0100_0302_0100)
    let four = Int64(0x0404_0404)
    return inEveryQuarter(Bytes16(bytes &+ (a | b &<< 32) &* four, bytes &+ (c | d &<< 32) &* four))
}
#endif
