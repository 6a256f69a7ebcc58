#if arch(x86_64)
import LeapBlocks
import _Builtin_intrinsics.intel

/// The 8 scales of an `IQ4_XS` block minus 32, in 32-bit lanes.
@inline(__always)
func scaleWords(_ block: UnsafeRawPointer) -> SIMD4<Int64> {
    let low = block.loadUnaligned(fromByteOffset: BlockIQ4_XS.scalesLow, as: Int32.self)
    let high = Int32(block.loadUnaligned(fromByteOffset: BlockIQ4_XS.scalesHigh, as: UInt16.self))
    let lower = _mm256_srlv_epi32(_mm256_set1_epi32(low), _mm256_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28))
    let upper = _mm256_srlv_epi32(_mm256_set1_epi32(high), _mm256_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14))
    let bits = lower & _mm256_set1_epi32(15) | _mm256_slli_epi32(upper & _mm256_set1_epi32(3), 4)
    return _mm256_sub_epi32(bits, _mm256_set1_epi32(32))
}
#endif
