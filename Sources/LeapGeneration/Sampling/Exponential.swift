/// eˣ for x ≤ 0, from additions and multiplications alone, so that every machine gives the same bits; C libraries differ
/// in the last one.
///
/// With x = k·ln 2 + r and |r| ≤ ½ ln 2, eˣ = 2ᵏ·eʳ, and eʳ is its Taylor polynomial of degree 12: the remainder is
/// about (½ ln 2)¹³ / 13! ≈ 1.7e-16, less than a `Double`'s spacing at 1.
///
/// - Returns: 0 below -708, where the result would no longer be a normal number, and for NaN.
func exponential(_ x: Double) -> Double {
    guard x > -708 else { return 0 }
    let k = (x * 1.4426950408889634).rounded()
    // ln 2 in two parts: k times the first is exact, because its last bits are zero.
    let r = (x - k * 0.693147180369123816490) - k * 1.90821492927058770002e-10
    var p = 1.0 / 479_001_600
    p = p * r + 1.0 / 39_916_800
    p = p * r + 1.0 / 3_628_800
    p = p * r + 1.0 / 362_880
    p = p * r + 1.0 / 40_320
    p = p * r + 1.0 / 5_040
    p = p * r + 1.0 / 720
    p = p * r + 1.0 / 120
    p = p * r + 1.0 / 24
    p = p * r + 1.0 / 6
    p = p * r + 0.5
    p = p * r + 1
    p = p * r + 1
    return p * Double(bitPattern: UInt64(Int(k) + 1023) << 52)
}

/// 2ˣ for x ≤ 0, four at once, with a relative error below 2·10⁻⁷ and, like ``exponential(_:)``, the same bits on every
/// machine.
///
/// With x = k + f and |f| ≤ ½, 2ˣ = 2ᵏ·2ᶠ. The polynomial for 2ᶠ is the one of degree 5 with the smallest relative error
/// among those that are exactly 1 at 0, found by weighted least squares (Lawson's algorithm). Adding 1.5·2²³ rounds to an
/// integer, which then stands in the lowest bits.
///
/// - Returns: 0 at or below -126, where the result would no longer be a normal number, and for NaN.
@inline(__always)
func exponentialOf2(_ x: SIMD4<Float>) -> SIMD4<Float> {
    typealias Lanes = SIMD4<Float>
    let isNormal = x .> Lanes(repeating: -126)
    let rounder = Lanes(repeating: 0x1.8p23)
    let rounded = x + rounder
    let f = x - (rounded - rounder)
    var p = f * Lanes(repeating: 0.0013264715) + Lanes(repeating: 0.009671513)
    p = p * f + Lanes(repeating: 0.05550734)
    p = p * f + Lanes(repeating: 0.24022242)
    p = p * f + Lanes(repeating: 0.693147)
    p = p * f + Lanes(repeating: 1)
    let exponents = unsafeBitCast(rounded, to: SIMD4<Int32>.self) &<< SIMD4<Int32>(repeating: 23)
    let result = unsafeBitCast(unsafeBitCast(p, to: SIMD4<Int32>.self) &+ exponents, to: Lanes.self)
    return result.masked(by: isNormal)
}
