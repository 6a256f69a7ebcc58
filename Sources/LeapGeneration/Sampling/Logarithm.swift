/// ln x, from additions, multiplications and divisions alone, so that every machine gives the same bits, as
/// ``exponential(_:)`` does.
///
/// With x = m·2ᵏ and √½ ≤ m ≤ √2, ln x = k·ln 2 + 2·artanh s with s = (m − 1) / (m + 1), and |s| ≤ 0.172. Of the series
/// 2·(s + s³/3 + s⁵/5 + …) the first eleven terms are taken; the remainder is below 3·10⁻¹⁹.
///
/// - Returns: -∞ for 0, +∞ for +∞, NaN for what is less than 0 and for NaN.
func logarithm(_ x: Double) -> Double {
    guard x > 0, x < .infinity else { return x == 0 ? -.infinity : x > 0 ? x : .nan }
    let isUpper = x.significand > 1.4142135623730951
    let m = isUpper ? x.significand / 2 : x.significand
    let k = Double(isUpper ? x.exponent + 1 : x.exponent)
    let s = (m - 1) / (m + 1)
    let square = s * s
    var sum = 1.0 / 21
    for divisor in stride(from: 19.0, through: 1, by: -2) { sum = sum * square + 1 / divisor }
    // ln 2 in two parts, as in the exponential.
    return k * 0.693147180369123816490 + (k * 1.90821492927058770002e-10 + 2 * s * sum)
}
