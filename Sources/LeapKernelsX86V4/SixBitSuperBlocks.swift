#if arch(x86_64)
import LeapBlocks
import _Builtin_intrinsics.intel

/// Dot products of rows of blocks that begin like `Q4_K`'s; `quants` reads those of a block, with the groups of 32 in
/// the order 0 2, 1 3, 4 6, 5 7.
@inline(__always)
func dotSixBitSuperBlocks(_ operands: DotOperands, byteCount: Int, quants: (_ block: UnsafeRawPointer) -> Quants256) {
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
                evenLanes(factors), _mm512_unpackhi_epi8(groups, Bytes64()), oddLanesInQuarters(factors)
            )
        },
        prepare: { block in
            let x = block + BlockQ8_K.qs
            let quants = (
                bytes64(x, x + 64), bytes64(x + 32, x + 96), bytes64(x + 128, x + 192), bytes64(x + 160, x + 224)
            )
            return (quants, noStart, pairedSums(block), Lanes(repeating: activationScale(block)))
        })
}

@inline(__always)
private var noStart: Quants256 { (Bytes64(), Bytes64(), Bytes64(), Bytes64()) }

/// `d` and `dmin` of each row, from the blocks' first 16 bytes, in the first eight lanes.
@inline(__always)
private func factors(_ headers: Bytes64) -> Lanes {
    let firstWords = _mm512_permutexvar_epi32(Bytes64(0x4_0000_0000, 0xC_0000_0008, 0, 0, 0, 0, 0, 0), headers)
    return _mm512_cvtph_ps(_mm512_castsi512_si256(firstWords))
}

/// Lanes 0, 2, 4 and 6 in every quarter.
@inline(__always)
private func evenLanes(_ factors: Lanes) -> Lanes {
    _mm512_permutexvar_ps(inEveryQuarter(Bytes16(0x2_0000_0000, 0x6_0000_0004)), factors)
}

/// Lanes 1, 3, 5 and 7, each in a quarter.
@inline(__always)
private func oddLanesInQuarters(_ factors: Lanes) -> Lanes {
    _mm512_permutexvar_ps(Bytes64(1, 1, 3, 3, 5, 5, 7, 7) &* Bytes64(repeating: 0x1_0000_0001), factors)
}

/// The 8 scales of row `index`, each for two groups.
@inline(__always)
private func doubled(_ scales: Bytes64, _ index: Int64) -> SpreadScales {
    let lower = quadruple(0, 1, 0, 1, 2, 3, 2, 3) &+ splat16(8 &* index)
    return (_mm512_permutexvar_epi16(lower, scales), _mm512_permutexvar_epi16(lower &+ splat16(4), scales))
}

/// The sums of the eight groups of 32 of a `Q8_K` block, in every quarter.
@inline(__always)
private func pairedSums(_ activations: UnsafeRawPointer) -> Bytes64 {
    let sums = activations + BlockQ8_K.bsums
    return inEveryQuarter(_mm_hadd_epi16(bytes16(sums), bytes16(sums + 16)))
}

/// The 8 scales and then the 8 minima of a block in every quarter; `SixBitScales.swift` says where they come from.
@inline(__always)
private func sixBitScales(_ headers: Bytes64) -> Bytes64 {
    let low = _mm512_srlv_epi32(
        _mm512_shuffle_epi8(headers, words(1, 3, 2, 3)), inEveryQuarter(Bytes16(0, 4 &<< 32)))
    let high = _mm512_srli_epi32(_mm512_shuffle_epi8(headers, words(0, 1, 0, 2)), 2)
    return low & inEveryQuarter(Bytes16(0x0F0F_0F0F_3F3F_3F3F, 0x0F0F_0F0F_3F3F_3F3F))
        | high & inEveryQuarter(Bytes16(0x3030_3030_0000_0000, 0x3030_3030_0000_0000))
}

/// The places of the bytes of four 32-bit words of each quarter.
@inline(__always)
private func words(_ a: Int64, _ b: Int64, _ c: Int64, _ d: Int64) -> Bytes64 {
    let bytes = Int64(0x0302_0100_0302_0100)
    let four = Int64(0x0404_0404)
    return inEveryQuarter(Bytes16(bytes &+ (a | b &<< 32) &* four, bytes &+ (c | d &<< 32) &* four))
}
#endif
