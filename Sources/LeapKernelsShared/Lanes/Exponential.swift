#if PORTABLE || X86_64 && arch(x86_64) || ARM64 && arch(arm64)
/// eˣ in every lane: relative error at most 2·10⁻⁷ for −87.3 ≤ x ≤ 88.3; 0 below −87.7, infinity above 88.4; NaN for
/// NaN.
///
/// With n = round(x / ln 2) and r = x − n ln 2, eˣ = 2ⁿ eʳ, and |r| ≤ ln 2 / 2. There the Taylor polynomial of degree 7
/// is off by less than |r|⁸ / 8! < 6·10⁻⁹, so that nearly all of the error is rounding.
@inline(__always)
func exponential(_ x: Lanes) -> Lanes {
    // Clamped to where 2ⁿ as a bit pattern becomes 0 (n = −127) and infinity (n = 128).
    let x = minimum(Lanes(repeating: 88.8), maximum(Lanes(repeating: -88), x))

    // Adding 1.5 · 2²³ leaves no fraction bits: the low bits of the sum are the rounded n.
    let rounder = Lanes(repeating: 0x1.8p23)
    let shifted = multiplyAdd(x, Lanes(repeating: 0x1.715476p0), rounder)
    let n = shifted - rounder

    // ln 2 in two parts, the first short enough that n · ln2High is exact.
    let ln2High: Float = 0x1.63p-1
    let ln2Low: Float = -0x1.bd0106p-13
    let r = multiplyAdd(n, Lanes(repeating: -ln2Low), multiplyAdd(n, Lanes(repeating: -ln2High), x))

    var series = Lanes(repeating: 1 / 5040)
    series = multiplyAdd(series, r, Lanes(repeating: 1 / 720))
    series = multiplyAdd(series, r, Lanes(repeating: 1 / 120))
    series = multiplyAdd(series, r, Lanes(repeating: 1 / 24))
    series = multiplyAdd(series, r, Lanes(repeating: 1 / 6))
    series = multiplyAdd(series, r, Lanes(repeating: 1 / 2))
    series = multiplyAdd(series, r, Lanes(repeating: 1))
    series = multiplyAdd(series, r, Lanes(repeating: 1))

    let exponent = unsafeBitCast(shifted, to: LaneBits.self) &+ 127
    return series * unsafeBitCast(exponent &<< 23, to: Lanes.self)
}

/// 2ˣ in every lane for x ≤ 0: relative error at most 10⁻⁷ down to −126, and no more than 2⁻¹²⁶ below; NaN for NaN.
///
/// With n = round(x) and r = x − n, 2ˣ = 2ⁿ 2ʳ, and |r| ≤ 1/2. The polynomial of degree 6 is the minimax one there,
/// with a relative error of 1.9·10⁻⁹.
@inline(__always)
func exponential2(_ x: Lanes) -> Lanes {
    exponential2(x) { r in
        var series = Lanes(repeating: 0x1.41d334p-13)
        series = multiplyAdd(series, r, Lanes(repeating: 0x1.5f456ap-10))
        series = multiplyAdd(series, r, Lanes(repeating: 0x1.3b2dbcp-7))
        series = multiplyAdd(series, r, Lanes(repeating: 0x1.c6aed4p-5))
        series = multiplyAdd(series, r, Lanes(repeating: 0x1.ebfbdap-3))
        series = multiplyAdd(series, r, Lanes(repeating: 0x1.62e430p-1))
        return multiplyAdd(series, r, Lanes(repeating: 1))
    }
}

/// `2ⁿ · series(r)` with n = round(x) and r = x − n, for x as in ``exponential2(_:)``.
@inline(__always)
func exponential2(_ x: Lanes, _ series: (_ r: Lanes) -> Lanes) -> Lanes {
    let x = maximum(Lanes(repeating: -126), x)

    // Adding 1.5 · 2²³ leaves no fraction bits: the low bits of the sum are the rounded n.
    let rounder = Lanes(repeating: 0x1.8p23)
    let shifted = x + rounder
    let power = series(x - (shifted - rounder))

    // n is shifted into the exponent field; the bits above it are shifted out.
    let exponent = unsafeBitCast(shifted, to: LaneBits.self) &<< 23
    return unsafeBitCast(unsafeBitCast(power, to: LaneBits.self) &+ exponent, to: Lanes.self)
}
#endif
