import Foundation

/// A number of Python's tower: booleans count as integers.
enum Number {
    case int(Int)
    case bigInt(BigInteger)
    case float(Double)

    init?(_ value: Value) {
        switch value {
        case .bool(let flag): self = .int(flag ? 1 : 0)
        case .int(let number): self = .int(number)
        case .bigInt(let number): self = .bigInt(number)
        case .float(let number): self = .float(number)
        default: return nil
        }
    }

    /// The integer, however large; nil for a float.
    var bigInteger: BigInteger? {
        switch self {
        case .int(let number): BigInteger(number)
        case .bigInt(let number): number
        case .float: nil
        }
    }

    /// The nearest float.
    func double() throws(Failure) -> Double {
        switch self {
        case .int(let number): return Double(number)
        case .float(let number): return number
        case .bigInt(let number):
            guard let value = number.double else { throw .overflow("int too large to convert to float") }
            return value
        }
    }

    var isZero: Bool {
        switch self {
        case .int(let number): number == 0
        case .bigInt: false
        case .float(let number): number == 0
        }
    }

    /// -1, 0 or 1; nil if one of the numbers is NaN.
    func compared(to other: Number) -> Int? {
        switch (self, other) {
        case (.int(let left), .int(let right)): return left < right ? -1 : left == right ? 0 : 1
        case (.float(let left), .float(let right)): return Self.order(left, right)
        case (.float(let left), _): return other.bigInteger.flatMap { Self.order(left, $0) }
        case (_, .float(let right)): return bigInteger.flatMap { Self.order(right, $0) }.map { -$0 }
        default:
            guard let left = bigInteger, let right = other.bigInteger else { return nil }
            return left < right ? -1 : left == right ? 0 : 1
        }
    }

    private static func order(_ left: Double, _ right: Double) -> Int? {
        if left.isNaN || right.isNaN { return nil }
        return left < right ? -1 : left == right ? 0 : 1
    }

    /// Compares exactly, without rounding the integer.
    private static func order(_ left: Double, _ right: BigInteger) -> Int? {
        if left.isNaN { return nil }
        if left.isInfinite { return left < 0 ? -1 : 1 }
        let whole = BigInteger(truncating: left)
        if whole != right { return whole < right ? -1 : 1 }
        return order(left - left.rounded(.towardZero), 0)
    }
}

extension Value {
    /// The integer as a value: small if it fits.
    /// - Throws: a limit error beyond the digits that CPython would print.
    static func integer(_ number: BigInteger) throws(Failure) -> Value {
        if let small = number.int { return .int(small) }
        // log2(10) is 3.3219…
        guard number.bitWidth <= Budget.integerDigits * 3_322 / 1_000 else {
            throw .limit(.integerDigits(Budget.integerDigits))
        }
        return .bigInt(number)
    }
}
