#if arch(x86_64)
import _Builtin_intrinsics.intel

/// Transposes 8 rows of `count` words of 32 bits, a multiple of 4: `stride` bytes from one row to the next in the source,
/// ``weightVectors`` from one column to the next in the destination.
@inline(__always)
func transposeWords(
    _ source: UnsafeRawPointer, stride: Int, count: Int, to destination: UnsafeMutableRawPointer
) {
    for word in Swift.stride(from: 0, to: count, by: 4) {
        transposeFourWords(source + 4 &* word, stride: stride, to: destination + word &* weightVectors)
    }
}

/// Transposes 8 rows of 4 words. Rows 4 … 7 are loaded into the upper halves of the vectors, so that nothing has to
/// cross between halves.
@inline(__always)
private func transposeFourWords(
    _ source: UnsafeRawPointer, stride: Int, to destination: UnsafeMutableRawPointer
) {
    func rows(_ index: Int) -> Bytes32 {
        _mm256_set_m128i(bytes16(source + (index &+ 4) &* stride), bytes16(source + index &* stride))
    }
    let (a, b, c, d) = (rows(0), rows(1), rows(2), rows(3))
    let (firstUpper, lastUpper) = (_mm256_unpacklo_epi32(a, b), _mm256_unpackhi_epi32(a, b))
    let (firstLower, lastLower) = (_mm256_unpacklo_epi32(c, d), _mm256_unpackhi_epi32(c, d))
    store(_mm256_unpacklo_epi64(firstUpper, firstLower), to: destination)
    store(_mm256_unpackhi_epi64(firstUpper, firstLower), to: destination + weightVectors)
    store(_mm256_unpacklo_epi64(lastUpper, lastLower), to: destination + 2 &* weightVectors)
    store(_mm256_unpackhi_epi64(lastUpper, lastLower), to: destination + 3 &* weightVectors)
}

@inline(__always)
func store(_ bytes: Bytes32, to destination: UnsafeMutableRawPointer) {
    destination.storeBytes(of: bytes, as: Bytes32.self)
}
#endif
