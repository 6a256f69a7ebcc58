#if arch(arm64)
import LeapBlocks
import _Builtin_intrinsics.arm.neon

/// `MXFP4`: codes laid out like the quants of `Q4_0`; a scale is a biased exponent.
let dotMXFP4: DotKernel = {
    dotOffsetBlocks(($0, $1, $2, $3, $4, $5, $6, $7, $8), byteCount: BlockMXFP4.byteCount, zero: 0, unpack: unpack)
}

@inline(__always)
private func unpack(_ blocks: BlockQuartet) -> WeightQuartet {
    (quartet(blocks) { doubledValues($0 + BlockMXFP4.qs) }, halvedScales(blocks), SIMD4(repeating: 0))
}

/// 2^(e − 128) for biased exponents e; the two smallest are subnormal.
@inline(__always)
func halvedPowers(_ exponents: SIMD4<Int32>) -> SIMD4<Float> {
    let normal = vshlq_s32(vsubq_s32(exponents, vdupq_n_s32(1)), vdupq_n_s32(23))
    let subnormal = vshlq_s32(vdupq_n_s32(0x20_0000), exponents)
    let isSubnormal = vcltq_s32(exponents, vdupq_n_s32(2))
    return unsafeBitCast(vbslq_s32(isSubnormal, subnormal, normal), to: SIMD4<Float>.self)
}
#endif
