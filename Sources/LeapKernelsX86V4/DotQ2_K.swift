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

/// Unpacks a tile; see `UnpackKernel`.
let unpackTileQ2_K: UnpackKernel = {
    unpackTile(($0, $1, $2, $3, $4), groupSize: 16) { rows in
        setBitPairs(rows, qs: BlockQ2_K.qs)
        setFineScales(rows) { block in
            let d = loadHalf(block + BlockQ2_K.d)
            let bytes = _mm512_cvtepu8_epi32(bytes16(block + BlockQ2_K.scales))
            return scaled(bytes & Bytes64(repeating: 0x0000_000F_0000_000F), d, d)
        }
        setMinima(rows, groups: 16) { block in
            let scales = _mm256_cvtepu8_epi16(bytes16(block + BlockQ2_K.scales))
            return (_mm256_srli_epi16(scales, 4), -loadHalf(block + BlockQ2_K.dmin))
        }
    }
}
#endif
