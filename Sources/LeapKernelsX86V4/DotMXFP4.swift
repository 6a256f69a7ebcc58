#if arch(x86_64)
import LeapBlocks
import _Builtin_intrinsics.intel

/// `MXFP4`: codes laid out as the quants of `Q4_0`; a scale is the bit pattern of an exponent.
let dotMXFP4: DotKernel = {
    dotOffsetBlocks(($0, $1, $2, $3, $4, $5, $6, $7, $8), byteCount: BlockMXFP4.byteCount, zero: 12, unpack: unpack)
}

@inline(__always)
private func unpack(_ blocks: BlockQuartet) -> WeightQuartet {
    let quadrupled = Bytes64(0, 0, 1, 1, 2, 2, 3, 3) &* Bytes64(repeating: 0x1_0000_0001)
    let scales = _mm512_permutexvar_ps(quadrupled, _mm512_castps128_ps512(halvedScales(blocks)))
    let codes = codes(blocks)
    return (
        raisedCodes(codes & splat(15)), raisedCodes(_mm512_srli_epi16(codes, 4) & splat(15)), scales,
        Lanes(repeating: 0)
    )
}

/// The 16 bytes of codes of each block.
@inline(__always)
private func codes(_ blocks: BlockQuartet) -> Bytes64 {
    func qs(_ index: Int) -> Bytes16 { bytes16(block(index, of: blocks) + BlockMXFP4.qs) }
    return join(_mm256_set_m128i(qs(1), qs(0)), _mm256_set_m128i(qs(3), qs(2)))
}

/// Twice the values that the codes stand for, plus 12.
@inline(__always)
private func raisedCodes(_ codes: Bytes64) -> Bytes64 {
    let values = SIMD16<UInt8>(12, 13, 14, 15, 16, 18, 20, 24, 12, 11, 10, 9, 8, 6, 4, 0)
    return _mm512_shuffle_epi8(_mm512_broadcast_i32x4(unsafeBitCast(values, to: Bytes16.self)), codes)
}

/// 2^(e − 128) for biased exponents e; the two smallest are subnormal.
@inline(__always)
func halvedPowers(_ exponents: SIMD4<Int32>) -> SIMD4<Float> {
    let e = unsafeBitCast(exponents, to: Bytes16.self)
    let normal = _mm_slli_epi32(_mm_sub_epi32(e, _mm_set1_epi32(1)), 23)
    let subnormal = _mm_sllv_epi32(_mm_set1_epi32(0x20_0000), e)
    let bits = _mm_blendv_epi8(normal, subnormal, _mm_cmpgt_epi32(_mm_set1_epi32(2), e))
    return unsafeBitCast(bits, to: SIMD4<Float>.self)
}

/// Unpacks a tile; see `UnpackKernel`.
let unpackTileMXFP4: UnpackKernel = {
    unpackTile(($0, $1, $2, $3, $4), groupSize: 32) { rows in
        setNibbles(rows, byteCount: BlockMXFP4.byteCount, qs: BlockMXFP4.qs) { subtract(12, from: raisedCodes($0)) }
        let blocks = rows.columns / 32
        setFactors(rows) { block in
            let low = halvedScales((block, BlockMXFP4.byteCount, min(blocks, 4)))
            let high =
                blocks > 4 ? halvedScales((block + 4 &* BlockMXFP4.byteCount, BlockMXFP4.byteCount, blocks &- 4)) : low
            return SIMD16(lowHalf: SIMD8(lowHalf: low, highHalf: high), highHalf: SIMD8(repeating: 0))
        }
    }
}
#endif
