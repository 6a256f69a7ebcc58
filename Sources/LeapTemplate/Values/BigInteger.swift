/// An integer of any size, in sign-magnitude form: Python's `int` beyond 64 bits.
package struct BigInteger: Hashable, Sendable {
    let isNegative: Bool
    /// Base 2³², least significant digit first, without leading zeros.
    let magnitude: [UInt32]

    init(isNegative: Bool, magnitude: [UInt32]) {
        let significant = (magnitude.lastIndex { $0 != 0 } ?? -1) + 1
        self.magnitude = Array(magnitude.prefix(significant))
        self.isNegative = isNegative && significant > 0
    }

    init(_ value: Int) {
        let magnitude = UInt64(value.magnitude)
        self.init(
            isNegative: value < 0,
            magnitude: [UInt32(truncatingIfNeeded: magnitude), UInt32(truncatingIfNeeded: magnitude >> 32)])
    }

    /// The integral part of a finite number.
    init(truncating value: Double) {
        let whole = value.magnitude.rounded(.towardZero)
        guard whole >= 1 else {
            self.init(0)
            return
        }
        let shift = Int(whole.exponent) - 52
        let significand = BigInteger(Int(whole.significandBitPattern | 1 << 52))
        let scaled = shift >= 0 ? significand.shiftedLeft(by: shift) : significand.shiftedRight(by: -shift)
        self.init(isNegative: value < 0, magnitude: scaled.magnitude)
    }

    /// Parses digits of a number in `radix`, without sign; nil if one of them is invalid.
    package init?(digits: some Sequence<UInt8>, radix: UInt32) {
        var magnitude: [UInt32] = []
        for digit in digits {
            guard digit < radix else { return nil }
            Self.multiplyAdd(&magnitude, by: radix, adding: UInt32(digit))
        }
        self.init(isNegative: false, magnitude: magnitude)
    }

    var isZero: Bool { magnitude.isEmpty }

    var bitWidth: Int {
        guard let top = magnitude.last else { return 0 }
        return magnitude.count * 32 - top.leadingZeroBitCount
    }

    /// The value as `Int`, if it fits.
    var int: Int? {
        guard magnitude.count <= 2 else { return nil }
        let low = UInt64(magnitude.first ?? 0) | (magnitude.count == 2 ? UInt64(magnitude[1]) << 32 : 0)
        if isNegative { return low <= UInt64(Int.max) + 1 ? Int(truncatingIfNeeded: 0 &- low) : nil }
        return Int(exactly: low)
    }

    /// The nearest double, ties to even; nil when it is beyond the range.
    var double: Double? {
        let excess = bitWidth - 64
        guard excess > 0 else { return Double(wholeMagnitude) * (isNegative ? -1 : 1) }
        // A sticky bit below the kept ones tells the final rounding whether nonzero bits were cut off.
        let kept = shiftedRight(by: excess)
        let lost = kept.shiftedLeft(by: excess).magnitude != magnitude
        let value = Double(kept.wholeMagnitude | (lost ? 1 : 0))
        let scaled = Double(sign: .plus, exponent: excess, significand: value)
        return scaled.isFinite ? (isNegative ? -scaled : scaled) : nil
    }

    private var wholeMagnitude: UInt64 {
        magnitude.prefix(2).reversed().reduce(0) { $0 << 32 | UInt64($1) }
    }

    static prefix func - (value: BigInteger) -> BigInteger {
        BigInteger(isNegative: !value.isNegative, magnitude: value.magnitude)
    }
}

// MARK: - Arithmetic

extension BigInteger {
    static func + (left: BigInteger, right: BigInteger) -> BigInteger {
        if left.isNegative == right.isNegative {
            return BigInteger(isNegative: left.isNegative, magnitude: sum(left.magnitude, right.magnitude))
        }
        if isLess(left.magnitude, right.magnitude) {
            return BigInteger(isNegative: right.isNegative, magnitude: difference(right.magnitude, left.magnitude))
        }
        return BigInteger(isNegative: left.isNegative, magnitude: difference(left.magnitude, right.magnitude))
    }

    static func - (left: BigInteger, right: BigInteger) -> BigInteger { left + -right }

    static func * (left: BigInteger, right: BigInteger) -> BigInteger {
        var product = [UInt32](repeating: 0, count: left.magnitude.count + right.magnitude.count)
        for (i, digit) in left.magnitude.enumerated() {
            var carry: UInt64 = 0
            for (j, other) in right.magnitude.enumerated() {
                carry += UInt64(digit) * UInt64(other) + UInt64(product[i + j])
                product[i + j] = UInt32(truncatingIfNeeded: carry)
                carry >>= 32
            }
            product[i + right.magnitude.count] = UInt32(truncatingIfNeeded: carry)
        }
        return BigInteger(isNegative: left.isNegative != right.isNegative, magnitude: product)
    }

    /// Quotient rounded towards minus infinity and the remainder with the divisor's sign, as Python divides.
    /// - Precondition: the divisor is not zero.
    func flooredDivision(by divisor: BigInteger) -> (quotient: BigInteger, remainder: BigInteger) {
        let (quotient, remainder) = Self.divide(magnitude, divisor.magnitude)
        let truncated = BigInteger(isNegative: isNegative != divisor.isNegative, magnitude: quotient)
        let rest = BigInteger(isNegative: isNegative, magnitude: remainder)
        guard !rest.isZero, isNegative != divisor.isNegative else { return (truncated, rest) }
        return (truncated - BigInteger(1), rest + divisor)
    }

    /// The quotient rounded to the nearest double; nil when it is beyond the range.
    /// - Precondition: the divisor is not zero.
    func quotient(by divisor: BigInteger) -> Double? {
        // Two bits more than a double's significand needs for rounding; lower bits only break ties.
        let shift = max(0, 66 - (bitWidth - divisor.bitWidth))
        let dividend = BigInteger(isNegative: false, magnitude: shiftedLeft(by: shift).magnitude)
        let (quotient, remainder) = dividend.flooredDivision(
            by: BigInteger(isNegative: false, magnitude: divisor.magnitude))
        let sticky = remainder.isZero || (quotient.magnitude.first ?? 0) & 1 == 1 ? quotient : quotient + BigInteger(1)
        guard let value = sticky.double else { return nil }
        return Double(sign: isNegative == divisor.isNegative ? .plus : .minus, exponent: -shift, significand: value)
    }

    func shiftedLeft(by bits: Int) -> BigInteger {
        let (words, rest) = bits.quotientAndRemainder(dividingBy: 32)
        var shifted = [UInt32](repeating: 0, count: words)
        var carry: UInt64 = 0
        for digit in magnitude {
            carry |= UInt64(digit) << UInt64(rest)
            shifted.append(UInt32(truncatingIfNeeded: carry))
            carry >>= 32
        }
        return BigInteger(isNegative: isNegative, magnitude: shifted + [UInt32(carry)])
    }

    /// Drops the lowest `bits` of the magnitude.
    func shiftedRight(by bits: Int) -> BigInteger {
        let (words, rest) = bits.quotientAndRemainder(dividingBy: 32)
        let kept = magnitude.dropFirst(words)
        var shifted: [UInt32] = []
        for index in kept.indices {
            let above = index + 1 < magnitude.count ? UInt64(magnitude[index + 1]) : 0
            shifted.append(UInt32(truncatingIfNeeded: (above << 32 | UInt64(magnitude[index])) >> UInt64(rest)))
        }
        return BigInteger(isNegative: isNegative, magnitude: shifted)
    }
}

extension BigInteger: Comparable {
    package static func < (left: BigInteger, right: BigInteger) -> Bool {
        guard left.isNegative == right.isNegative else { return left.isNegative }
        return left.isNegative
            ? isLess(right.magnitude, left.magnitude) : isLess(left.magnitude, right.magnitude)
    }
}

// MARK: - Text

extension BigInteger: CustomStringConvertible {
    package var description: String { text(radix: 10) }

    func text(radix: UInt32) -> String {
        guard !isZero else { return "0" }
        // As many digits at once as fit a word.
        var chunk = radix
        var width = 1
        while let wider = UInt32(exactly: UInt64(chunk) * UInt64(radix)) {
            chunk = wider
            width += 1
        }
        var rest = magnitude
        var chunks: [String] = []
        while !rest.isEmpty {
            let digits = String(Self.divideInPlace(&rest, by: chunk), radix: Int(radix))
            chunks.append(rest.isEmpty ? digits : String(repeating: "0", count: width - digits.count) + digits)
        }
        return (isNegative ? "-" : "") + chunks.reversed().joined()
    }
}

// MARK: - Magnitudes

extension BigInteger {
    private static func isLess(_ left: [UInt32], _ right: [UInt32]) -> Bool {
        left.count == right.count
            ? left.reversed().lexicographicallyPrecedes(right.reversed()) : left.count < right.count
    }

    private static func sum(_ left: [UInt32], _ right: [UInt32]) -> [UInt32] {
        var result: [UInt32] = []
        var carry: UInt64 = 0
        for index in 0..<max(left.count, right.count) {
            carry += UInt64(index < left.count ? left[index] : 0) + UInt64(index < right.count ? right[index] : 0)
            result.append(UInt32(truncatingIfNeeded: carry))
            carry >>= 32
        }
        return result + [UInt32(carry)]
    }

    /// `left - right`, where `left` ≥ `right`.
    private static func difference(_ left: [UInt32], _ right: [UInt32]) -> [UInt32] {
        var result: [UInt32] = []
        var borrow: Int64 = 0
        for index in left.indices {
            let digit = Int64(left[index]) - Int64(index < right.count ? right[index] : 0) + borrow
            result.append(UInt32(truncatingIfNeeded: digit))
            borrow = digit >> 32
        }
        return result
    }

    private static func multiplyAdd(_ digits: inout [UInt32], by factor: UInt32, adding addend: UInt32) {
        var carry = UInt64(addend)
        for index in digits.indices {
            carry += UInt64(digits[index]) * UInt64(factor)
            digits[index] = UInt32(truncatingIfNeeded: carry)
            carry >>= 32
        }
        if carry > 0 { digits.append(UInt32(carry)) }
    }

    /// Divides `digits` by one word and returns the remainder.
    private static func divideInPlace(_ digits: inout [UInt32], by divisor: UInt32) -> UInt32 {
        var remainder: UInt64 = 0
        for index in digits.indices.reversed() {
            remainder = remainder << 32 | UInt64(digits[index])
            digits[index] = UInt32(remainder / UInt64(divisor))
            remainder %= UInt64(divisor)
        }
        while digits.last == 0 { digits.removeLast() }
        return UInt32(remainder)
    }

    private static func divide(_ dividend: [UInt32], _ divisor: [UInt32]) -> (quotient: [UInt32], remainder: [UInt32]) {
        if isLess(dividend, divisor) { return ([], dividend) }
        if divisor.count == 1 {
            var quotient = dividend
            let remainder = divideInPlace(&quotient, by: divisor[0])
            return (quotient, remainder == 0 ? [] : [remainder])
        }
        return divideLong(dividend, divisor)
    }

    /// Long division, estimating each digit of the quotient from the leading digits (Knuth, TAOCP 2, 4.3.1, D).
    private static func divideLong(
        _ dividend: [UInt32], _ divisor: [UInt32]
    ) -> (quotient: [UInt32], remainder: [UInt32]) {
        let shift = divisor[divisor.count - 1].leadingZeroBitCount
        let scaled = BigInteger(isNegative: false, magnitude: divisor).shiftedLeft(by: shift).magnitude
        var rest = BigInteger(isNegative: false, magnitude: dividend).shiftedLeft(by: shift).magnitude
        rest += [UInt32](repeating: 0, count: dividend.count + 1 - rest.count)
        let size = scaled.count
        var quotient = [UInt32](repeating: 0, count: rest.count - size)
        for position in quotient.indices.reversed() {
            var digit = estimate(rest[position...position + size], scaled)
            digit = subtract(scaled, times: digit, from: &rest, at: position)
            quotient[position] = digit
        }
        let remainder = BigInteger(isNegative: false, magnitude: Array(rest.prefix(size))).shiftedRight(by: shift)
        return (quotient, remainder.magnitude)
    }

    /// The next digit of the quotient, at most one too large.
    private static func estimate(_ rest: ArraySlice<UInt32>, _ divisor: [UInt32]) -> UInt32 {
        let top = rest.endIndex - 1
        let leading = UInt64(rest[top]) << 32 | UInt64(rest[top - 1])
        let first = UInt64(divisor[divisor.count - 1])
        let second = UInt64(divisor[divisor.count - 2])
        var digit = leading / first
        var remainder = leading % first
        while digit > UInt64(UInt32.max) || digit * second > remainder << 32 | UInt64(rest[top - 2]) {
            digit -= 1
            remainder += first
            if remainder > UInt64(UInt32.max) { break }
        }
        return UInt32(digit)
    }

    /// Subtracts `digit` times the divisor, or once less if that is too much, and returns the correct digit.
    private static func subtract(
        _ divisor: [UInt32], times digit: UInt32, from rest: inout [UInt32], at position: Int
    ) -> UInt32 {
        var carry: UInt64 = 0
        var borrow: Int64 = 0
        for index in 0...divisor.count {
            carry += index < divisor.count ? UInt64(digit) * UInt64(divisor[index]) : 0
            let difference = Int64(rest[position + index]) - Int64(carry & 0xFFFF_FFFF) + borrow
            rest[position + index] = UInt32(truncatingIfNeeded: difference)
            borrow = difference >> 32
            carry >>= 32
        }
        guard borrow < 0 else { return digit }
        var back: UInt64 = 0
        for index in 0...divisor.count {
            back += UInt64(rest[position + index]) + (index < divisor.count ? UInt64(divisor[index]) : 0)
            rest[position + index] = UInt32(truncatingIfNeeded: back)
            back >>= 32
        }
        return digit - 1
    }
}
