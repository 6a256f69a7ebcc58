/// Decimal digits of floats, correctly rounded to any number of places.
struct DecimalText {
    /// A double has at most 1074 places; any more would be zeros.
    static let maximumPlaces = 1100

    private let significand: BigInteger
    private let exponent: Int

    /// - Parameter value: A finite number; its sign is ignored.
    init(_ value: Double) {
        let magnitude = value.magnitude
        let bits = Int(magnitude.significandBitPattern)
        let isNormal = magnitude.exponentBitPattern != 0
        significand = BigInteger(isNormal ? bits | 1 << 52 : bits)
        exponent = max(1, Int(magnitude.exponentBitPattern)) - 1023 - 52
    }

    /// The number with `places` digits after the point: `%.{places}f`.
    func fixed(places: Int) -> String {
        let digits = scaled(by: places).description
        guard places > 0 else { return digits }
        let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
        return "\(padded.dropLast(places)).\(padded.suffix(places))"
    }

    /// The number rounded to a multiple of 10^`power`.
    func whole(roundedTo power: Int) -> String {
        scaled(by: -power).description + String(repeating: "0", count: power)
    }

    /// The first `count` digits and the decimal exponent of the first one: what `%.{count-1}e` shows.
    func significant(_ count: Int) -> (digits: String, exponent: Int) {
        guard !significand.isZero else { return (String(repeating: "0", count: count), 0) }
        // log10(2) is about 0.30103. The estimate is reduced by one, so that rounding up cannot hide that it was too
        // large.
        var power = Int((Double(significand.bitWidth - 1 + exponent) * 0.30103).rounded(.down)) - 1
        while true {
            let digits = scaled(by: count - 1 - power).description
            if digits.count == count { return (digits, power) }
            power += 1
        }
    }

    /// The number times 10^`places`, rounded to an integer, ties to even.
    private func scaled(by places: Int) -> BigInteger {
        let numerator = (significand * Self.powerOfTen(places)).shiftedLeft(by: max(0, exponent))
        let denominator = Self.powerOfTen(-places).shiftedLeft(by: max(0, -exponent))
        let (quotient, remainder) = numerator.flooredDivision(by: denominator)
        let twice = remainder.shiftedLeft(by: 1)
        let isOdd = (quotient.magnitude.first ?? 0) & 1 == 1
        return twice > denominator || (twice == denominator && isOdd) ? quotient + BigInteger(1) : quotient
    }

    /// 10^`exponent`, or 1 if that is negative.
    private static func powerOfTen(_ exponent: Int) -> BigInteger {
        var result = BigInteger(1)
        var rest = max(0, exponent)
        while rest > 0 {
            let step = min(rest, 18)
            result = result * BigInteger((0..<step).reduce(1) { power, _ in power * 10 })
            rest -= step
        }
        return result
    }
}

extension Budget {
    /// Charges for the exact digits of a float.
    func digits(places: Int) throws(Failure) {
        guard places <= DecimalText.maximumPlaces else { throw .limit(.integerDigits(DecimalText.maximumPlaces)) }
        try touch(2_000 + places * places / 16)
    }
}
