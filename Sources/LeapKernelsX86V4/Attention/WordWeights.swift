#if arch(x86_64)
import LeapBlocks
import _Builtin_intrinsics.intel

// The arithmetic of weights: exponentials of scores as 16-bit integers, and what joins the sums of several tiles.

/// The largest integer weight.
@inline(__always)
var weightLimit: Float { 32767 }

@inline(__always)
func largest(of row: UnsafePointer<Float>) -> Lanes {
    let low = maximum(maximum(load(row), load(row + 16)), maximum(load(row + 32), load(row + 48)))
    let high = maximum(maximum(load(row + 64), load(row + 80)), maximum(load(row + 96), load(row + 112)))
    return maximum(low, high)
}

/// Overwrites a row's scores with its weights, and returns the sum of the weights.
@inline(__always)
func writeWeights(of row: UnsafeMutablePointer<Float>, _ largest: Lanes) -> Lanes {
    let words = UnsafeMutableRawPointer(row)
    @inline(__always)
    func weights(_ place: Int) -> Bytes64 { _mm512_cvtps_epi32(weight(load(row + place) - largest)) }
    @inline(__always)
    func write(_ place: Int) -> Bytes64 {
        let (a, b) = (weights(place), weights(place &+ 16))
        words.storeBytes(of: _mm512_packs_epi32(a, b), toByteOffset: 2 &* place, as: Bytes64.self)
        return _mm512_add_epi32(a, b)
    }
    let low = _mm512_add_epi32(write(0), write(32))
    return floats(_mm512_add_epi32(low, _mm512_add_epi32(write(64), write(96))))
}

/// `weightLimit · 2ˣ` for x ≤ 0, accurate to the precision of integer weights.
///
/// The polynomial of degree 5 has a relative error of at most 7.5·10⁻⁸, and its coefficients include the factor
/// `weightLimit`.
@inline(__always)
private func weight(_ x: Lanes) -> Lanes {
    exponential2(x) { r in
        var series = Lanes(repeating: 0x1.5c062ep5)
        series = multiplyAdd(series, r, Lanes(repeating: 0x1.3d09d8p8))
        series = multiplyAdd(series, r, Lanes(repeating: 0x1.c6b358p10))
        series = multiplyAdd(series, r, Lanes(repeating: 0x1.ebf540p12))
        series = multiplyAdd(series, r, Lanes(repeating: 0x1.62e162p14))
        return multiplyAdd(series, r, Lanes(repeating: 0x1.fffc02p14))
    }
}

/// `2^(old − new)`; nearly 0 if both are −∞ because nothing has been seen yet.
@inline(__always)
func factor(from old: Lanes, to new: Lanes) -> Lanes {
    // If one operand is NaN, the maximum is the second operand.
    exponential2(maximum(old - new, Lanes(repeating: -126)))
}

/// The operand of a permutation of two vectors (`vpermt2ps`): for each lane of the result, in order, the lane that it is
/// taken from; those of the second vector count from 16.
@inline(__always)
private func indices(
    _ a: Int32, _ b: Int32, _ c: Int32, _ d: Int32, _ e: Int32, _ f: Int32, _ g: Int32, _ h: Int32,
    _ i: Int32, _ j: Int32, _ k: Int32, _ l: Int32, _ m: Int32, _ n: Int32, _ o: Int32, _ p: Int32
) -> Bytes64 {
    unsafeBitCast(LaneBits(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p), to: Bytes64.self)
}

/// The first and the second numbers of 16 pairs, of which the first `count` exist.
@inline(__always)
func loadPairs(_ source: UnsafePointer<Float>, first count: Int) -> (Lanes, Lanes) {
    let low = load(source, first: min(16, 2 &* count))
    let high = load(source + 16, first: max(0, 2 &* count &- 16))
    let even = indices(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30)
    let odd = indices(1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31)
    return (_mm512_permutex2var_ps(low, even, high), _mm512_permutex2var_ps(low, odd, high))
}

/// Writes `count` pairs of numbers.
@inline(__always)
func storePairs(_ a: Lanes, _ b: Lanes, first count: Int, to target: UnsafeMutablePointer<Float>) {
    let low = indices(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
    let high = indices(8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
    store(_mm512_permutex2var_ps(a, low, b), first: min(16, 2 &* count), to: target)
    store(_mm512_permutex2var_ps(a, high, b), first: max(0, 2 &* count &- 16), to: target + 16)
}
#endif
