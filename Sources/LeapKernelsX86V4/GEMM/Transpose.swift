#if arch(x86_64)
import _Builtin_intrinsics.intel

/// Transposes 16 rows of 16 32-bit words: `row(r)` returns a row, `body(w, words)` receives word `w` of all rows.
@inline(__always)
func transpose(_ row: (_ index: Int) -> Bytes64, _ body: (_ word: Int, _ words: Bytes64) -> Void) {
    let a = transposedLanes(row(0), row(1), row(2), row(3))
    let b = transposedLanes(row(4), row(5), row(6), row(7))
    let c = transposedLanes(row(8), row(9), row(10), row(11))
    let d = transposedLanes(row(12), row(13), row(14), row(15))
    takeLanes(a.0, b.0, c.0, d.0) { body(4 &* $0, $1) }
    takeLanes(a.1, b.1, c.1, d.1) { body(4 &* $0 &+ 1, $1) }
    takeLanes(a.2, b.2, c.2, d.2) { body(4 &* $0 &+ 2, $1) }
    takeLanes(a.3, b.3, c.3, d.3) { body(4 &* $0 &+ 3, $1) }
}

/// Transposes four rows within each of their 16-byte lanes: lane `l` of vector `j` gets word `4l + j` of every row.
@inline(__always)
func transposedLanes(
    _ first: Bytes64, _ second: Bytes64, _ third: Bytes64, _ fourth: Bytes64
) -> (Bytes64, Bytes64, Bytes64, Bytes64) {
    let (lowUpper, highUpper) = (_mm512_unpacklo_epi32(first, second), _mm512_unpackhi_epi32(first, second))
    let (lowLower, highLower) = (_mm512_unpacklo_epi32(third, fourth), _mm512_unpackhi_epi32(third, fourth))
    return (
        _mm512_unpacklo_epi64(lowUpper, lowLower), _mm512_unpackhi_epi64(lowUpper, lowLower),
        _mm512_unpacklo_epi64(highUpper, highLower), _mm512_unpackhi_epi64(highUpper, highLower)
    )
}

/// Transposes four vectors of four 16-byte lanes: `body(l, lanes)` receives lane `l` of all of them.
@inline(__always)
private func takeLanes(
    _ a: Bytes64, _ b: Bytes64, _ c: Bytes64, _ d: Bytes64, _ body: (_ lane: Int, _ lanes: Bytes64) -> Void
) {
    let zeros = unknownZeros
    let (firstPairs, lastPairs) = (
        Bytes64(0, 1, 8, 9, 2, 3, 10, 11) &+ zeros, Bytes64(4, 5, 12, 13, 6, 7, 14, 15) &+ zeros
    )
    let (firstHalves, lastHalves) = (
        Bytes64(0, 1, 2, 3, 8, 9, 10, 11) &+ zeros, Bytes64(4, 5, 6, 7, 12, 13, 14, 15) &+ zeros
    )
    let upper = _mm512_permutex2var_epi64(a, firstPairs, b)
    let lower = _mm512_permutex2var_epi64(c, firstPairs, d)
    body(0, _mm512_permutex2var_epi64(upper, firstHalves, lower))
    body(1, _mm512_permutex2var_epi64(upper, lastHalves, lower))
    let upperLast = _mm512_permutex2var_epi64(a, lastPairs, b)
    let lowerLast = _mm512_permutex2var_epi64(c, lastPairs, d)
    body(2, _mm512_permutex2var_epi64(upperLast, firstHalves, lowerLast))
    body(3, _mm512_permutex2var_epi64(upperLast, lastHalves, lowerLast))
}

/// Zeros that the compiler cannot deduce: no number equals an earlier one.
///
/// If the compiler knew all indices, it would split the permutations and emit half as many again.
@inline(__always)
var unknownZeros: Bytes64 { _mm512_conflict_epi64(Bytes64(0, 1, 2, 3, 4, 5, 6, 7)) }
#endif
