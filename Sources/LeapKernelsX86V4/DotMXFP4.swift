#if arch(x86_64)
import LeapBlocks
import _Builtin_intrinsics.intel

/// `MXFP4`: codes laid out like the quants of `Q4_0`; a scale is a biased exponent.
let dotMXFP4: DotKernel = {
    dotOffsetBlocks(($0, $1, $2, $3, $4, $5, $6, $7, $8), byteCount: BlockMXFP4.byteCount, zero: 12, unpack: unpack)
}

@inline(__always)
private func unpack(_ blocks: BlockQuartet) -> WeightQuartet {
    let codes = codes(blocks)
    return (
        raisedCodes(codes & splat(15)), raisedCodes(_mm512_srli_epi16(codes, 4) & splat(15)),
        halvedPowers(exponents(blocks)), Lanes(repeating: 0)
    )
}

/// Each block's exponent, repeated in four lanes; 0 for blocks that do not exist, whose codes are ignored.
@inline(__always)
private func exponents(_ blocks: BlockQuartet) -> Bytes64 {
    // The first bytes of four 17-byte blocks: two are the lower halves of their 16-bit words, two the upper.
    let words = _mm512_permutexvar_epi16(
        Bytes64(0, 0, 8, 8, 17, 17, 25, 25) &* Bytes64(repeating: 0x1_0000_0001), quartetWords(blocks).lower)
    let shifts = Bytes64(0, 0, 8, 8, 0, 0, 8, 8) &* Bytes64(repeating: 0x1_0000_0001)
    return _mm512_srlv_epi32(words, shifts) & splat32(0xFF, 0xFF)
}

/// 2^(e − 128) for biased exponents e, like `halvedPowers` for four of them.
@inline(__always)
private func halvedPowers(_ e: Bytes64) -> Lanes {
    // The greater is the right one: for e < 2 the bits of a normal number are 0 or negative; otherwise they are at
    // least 0x800000.
    let normal = _mm512_slli_epi32(_mm512_sub_epi32(e, splat32(1, 1)), 23)
    let subnormal = _mm512_min_epi32(_mm512_sllv_epi32(splat32(0x20_0000, 0x20_0000), e), splat32(0x40_0000, 0x40_0000))
    return unsafeBitCast(_mm512_max_epi32(normal, subnormal), to: Lanes.self)
}

/// The 16 bytes of codes of each block.
@inline(__always)
private func codes(_ blocks: BlockQuartet) -> Bytes64 {
    func qs(_ index: Int) -> Bytes16 { bytes16(block(index, of: blocks) + BlockMXFP4.qs) }
    return join(_mm256_set_m128i(qs(1), qs(0)), _mm256_set_m128i(qs(3), qs(2)))
}

/// Twice the values of the codes, plus 12.
@inline(__always)
private func raisedCodes(_ codes: Bytes64) -> Bytes64 {
    let values = SIMD16<UInt8>(12, 13, 14, 15, 16, 18, 20, 24, 12, 11, 10, 9, 8, 6, 4, 0)
    return _mm512_shuffle_epi8(_mm512_broadcast_i32x4(unsafeBitCast(values, to: Bytes16.self)), codes)
}

/// Unpacks a tile; see `UnpackKernel`.
let unpackTileMXFP4: UnpackKernel = {
    unpackTile(($0, $1, $2, $3, $4), groupSize: 32) { rows in
        setNibbles(rows, byteCount: BlockMXFP4.byteCount, qs: BlockMXFP4.qs) { subtract(12, from: raisedCodes($0)) }
        forEachFactorWord(rows, byteCount: BlockMXFP4.byteCount, at: BlockMXFP4.e) { place, words in
            let scales = halvedPowers(words & splat32(0xFF, 0xFF))
            store(unsafeBitCast(scales, to: Bytes64.self), to: place + WeightTile.scales)
        }
    }
}
#endif
