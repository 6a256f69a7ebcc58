#if arch(x86_64)
import _Builtin_intrinsics.intel

/// 2^(e − 128) for biased exponents e of `MXFP4`; the two smallest are subnormal.
@inline(__always)
func halvedPowers(_ exponents: SIMD4<Int32>) -> SIMD4<Float> {
    let e = unsafeBitCast(exponents, to: SIMD2<Int64>.self)
    let normal = _mm_slli_epi32(_mm_sub_epi32(e, _mm_set1_epi32(1)), 23)
    let subnormal = _mm_sllv_epi32(_mm_set1_epi32(0x20_0000), e)
    let bits = _mm_blendv_epi8(normal, subnormal, _mm_cmpgt_epi32(_mm_set1_epi32(2), e))
    return unsafeBitCast(bits, to: SIMD4<Float>.self)
}
#endif
