// The sixteen values of `IQ4_NL` and `IQ4_XS`, which are no even steps, computed instead of looked up: the baseline of x86
// has no table of bytes, and a search through sixteen entries takes three operations for each.
//
// With u = (index − 8) / 16, the values are the whole parts of a polynomial of the fourth degree, the best one's error being
// 0.433, less than a half. In steps of 1/64, and with each product rounded down, it is
//
//     (((6624 u + 21447) u − 266) u + 11716) u + 123
//
// which stays between a value's steps for all sixteen indices.

/// The values that the indices in sixteen bytes stand for, which have an index in the lower and one in the upper half.
@inline(__always)
func nonLinearSteps(_ indices: Words) -> (low: SplitBytes, high: SplitBytes) {
    // An index less 8, as the top four bits of a word.
    let raised = indices ^ Words(repeating: Int16(bitPattern: 0x8888))
    let low = (even: steps(raised &<< 12), odd: steps((raised &<< 4) & top))
    return (low, (even: steps((raised &<< 8) & top), odd: steps(raised & top)))
}

private var top: Words { @inline(__always) get { Words(repeating: Int16(bitPattern: 0xF000)) } }

/// The values for eight times 2¹⁶ u.
@inline(__always)
private func steps(_ u: Words) -> Words {
    // 6624 u = 414 (2¹⁶ u / 2¹²), without a wider product.
    var sum = 414 &* (u &>> 12) &+ 21447
    sum = upperHalves(sum, times: u) &- 266
    sum = upperHalves(sum, times: u) &+ 11716
    sum = upperHalves(sum, times: u) &+ 123
    return sum &>> 6
}
