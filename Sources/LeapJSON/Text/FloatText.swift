/// Writes floating-point numbers as Python does.
package enum FloatText {
    /// `repr(value)`: the shortest digits that read back as the same number, with an exponent below 1e-4 and from 1e16.
    package static func shortest(_ value: Double) -> String {
        guard value.isFinite else { return nonFinite(value) }
        guard value != 0 else { return value.sign == .minus ? "-0.0" : "0.0" }
        let (digits, exponent) = shortestDigits(value.magnitude)
        let sign = value < 0 ? "-" : ""
        return sign + (-4..<16 ~= exponent ? plain(digits, exponent) : scientific(digits, exponent))
    }

    package static func nonFinite(_ value: Double) -> String {
        value.isNaN ? "nan" : value < 0 ? "-inf" : "inf"
    }

    /// The shortest decimal digits of a positive number and the power of ten of the first.
    static func shortestDigits(_ value: Double) -> (digits: String, exponent: Int) {
        // Swift prints the shortest digits too, but switches to an exponent elsewhere.
        let parts = value.description.split(separator: "e")
        let mantissa = parts[0].split(separator: ".", omittingEmptySubsequences: false)
        let whole = mantissa[0]
        let fraction = mantissa.count > 1 ? mantissa[1] : ""
        let written = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
        let all = whole + fraction
        let leadingZeros = all.prefix { $0 == "0" }.count
        let digits = all.dropFirst(leadingZeros)
        let trailingZeros = digits.reversed().prefix { $0 == "0" }.count
        return (String(digits.dropLast(trailingZeros)), written + whole.count - 1 - leadingZeros)
    }

    private static func plain(_ digits: String, _ exponent: Int) -> String {
        if exponent < 0 { return "0." + String(repeating: "0", count: -exponent - 1) + digits }
        if digits.count <= exponent + 1 {
            return digits + String(repeating: "0", count: exponent + 1 - digits.count) + ".0"
        }
        return String(digits.prefix(exponent + 1)) + "." + digits.dropFirst(exponent + 1)
    }

    private static func scientific(_ digits: String, _ exponent: Int) -> String {
        let mantissa = digits.count == 1 ? digits : String(digits.prefix(1)) + "." + digits.dropFirst()
        return mantissa + exponentText(exponent)
    }

    /// `e+05`, `e-12`, `e+123`.
    package static func exponentText(_ exponent: Int) -> String {
        let digits = String(exponent.magnitude)
        return (exponent < 0 ? "e-" : "e+") + (digits.count < 2 ? "0" + digits : digits)
    }
}
