#if arch(x86_64)
import _Builtin_intrinsics.intel

/// Transposes 16 rows of 16 words of 32 bits: `stride` bytes from one row to the next in the source, 128 in the
/// destination, where two halves of a tile lie side by side.
@inline(__always)
func transposeWords(_ source: UnsafeRawPointer, stride: Int, to destination: UnsafeMutableRawPointer) {
    let a = transposedLanes(source, stride)
    let b = transposedLanes(source + 4 &* stride, stride)
    let c = transposedLanes(source + 8 &* stride, stride)
    let d = transposedLanes(source + 12 &* stride, stride)
    storeLanes(a.0, b.0, c.0, d.0, to: destination)
    storeLanes(a.1, b.1, c.1, d.1, to: destination + 128)
    storeLanes(a.2, b.2, c.2, d.2, to: destination + 256)
    storeLanes(a.3, b.3, c.3, d.3, to: destination + 384)
}

/// Four rows, transposed within each of their 16-byte lanes: lane `l` of vector `j` has word `4l + j` of every row.
@inline(__always)
private func transposedLanes(_ source: UnsafeRawPointer, _ stride: Int) -> (Bytes64, Bytes64, Bytes64, Bytes64) {
    let first = bytes64(source)
    let second = bytes64(source + stride)
    let third = bytes64(source + 2 &* stride)
    let fourth = bytes64(source + 3 &* stride)
    let (lowUpper, highUpper) = (_mm512_unpacklo_epi32(first, second), _mm512_unpackhi_epi32(first, second))
    let (lowLower, highLower) = (_mm512_unpacklo_epi32(third, fourth), _mm512_unpackhi_epi32(third, fourth))
    return (
        _mm512_unpacklo_epi64(lowUpper, lowLower), _mm512_unpackhi_epi64(lowUpper, lowLower),
        _mm512_unpacklo_epi64(highUpper, highLower), _mm512_unpackhi_epi64(highUpper, highLower)
    )
}

/// Transposes four vectors of four 16-byte lanes, and stores them 512 bytes apart.
@inline(__always)
private func storeLanes(
    _ a: Bytes64, _ b: Bytes64, _ c: Bytes64, _ d: Bytes64, to destination: UnsafeMutableRawPointer
) {
    let (firstPairs, lastPairs) = (Bytes64(0, 1, 8, 9, 2, 3, 10, 11), Bytes64(4, 5, 12, 13, 6, 7, 14, 15))
    let (firstHalves, lastHalves) = (Bytes64(0, 1, 2, 3, 8, 9, 10, 11), Bytes64(4, 5, 6, 7, 12, 13, 14, 15))
    let upper = _mm512_permutex2var_epi64(a, firstPairs, b)
    let lower = _mm512_permutex2var_epi64(c, firstPairs, d)
    store(_mm512_permutex2var_epi64(upper, firstHalves, lower), to: destination)
    store(_mm512_permutex2var_epi64(upper, lastHalves, lower), to: destination + 512)
    let upperLast = _mm512_permutex2var_epi64(a, lastPairs, b)
    let lowerLast = _mm512_permutex2var_epi64(c, lastPairs, d)
    store(_mm512_permutex2var_epi64(upperLast, firstHalves, lowerLast), to: destination + 1024)
    store(_mm512_permutex2var_epi64(upperLast, lastHalves, lowerLast), to: destination + 1536)
}

@inline(__always)
func store(_ bytes: Bytes64, to destination: UnsafeMutableRawPointer) {
    destination.storeBytes(of: bytes, as: Bytes64.self)
}
#endif
