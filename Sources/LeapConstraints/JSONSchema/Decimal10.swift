import LeapJSON
import OrderedCollections

/// A decimal number with all its digits, as JSON writes it: compared digit by digit, without rounding.
///
/// The parser returns numbers with a point or an exponent as doubles, so that digits beyond the 17th are already lost.
struct Decimal10: Hashable, Sendable {
    var isNegative: Bool
    /// Digits before the point, without leading zeros: none for a number below one.
    var integer: [UInt8]
    /// Digits after the decimal point, without trailing zeros.
    var fraction: [UInt8]

    /// With more digits than this, automata would become too large.
    private static let digitLimit = 330

    var isInteger: Bool { fraction.isEmpty }
    var isZero: Bool { integer.isEmpty && fraction.isEmpty }
    /// The digits before the point or, for a number below one, minus the zeros after it: the number is below ten to the
    /// power of this.
    var magnitude: Int { integer.isEmpty ? -fraction.prefix { $0 == 0 }.count : integer.count }

    /// The number in a JSON value; nil for anything else and for numbers with hundreds of digits.
    init?(_ value: JSONValue) {
        switch value {
        case .integer(let number): self.init(parsing: String(number))
        case .largeInteger(let digits): self.init(parsing: digits)
        case .number(let number):
            guard number.isFinite else { return nil }
            self.init(parsing: value.text())
        default: return nil
        }
    }

    /// Reads a JSON number.
    init?(parsing text: String) {
        var rest = Substring(text)
        isNegative = rest.first == "-"
        if isNegative { rest.removeFirst() }
        let parts = rest.split(maxSplits: 1) { $0 == "e" || $0 == "E" }
        guard let mantissa = parts.first, let exponent = Int(parts.count > 1 ? parts[1] : "0") else { return nil }
        let halves = mantissa.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let whole = halves[0].utf8.map { $0 - 48 }
        var digits = whole + (halves.count > 1 ? halves[1].utf8.map { $0 - 48 } : [])
        guard digits.allSatisfy({ $0 < 10 }), abs(exponent) < Self.digitLimit, digits.count < Self.digitLimit else {
            return nil
        }
        let point = whole.count + exponent
        if point < 0 { digits = Array(repeating: 0, count: -point) + digits }
        if point > digits.count { digits += Array(repeating: 0, count: point - digits.count) }
        integer = Array(digits.prefix(max(point, 0)).drop { $0 == 0 })
        fraction = Array(digits.dropFirst(max(point, 0)))
        while fraction.last == 0 { fraction.removeLast() }
        if isZero { isNegative = false }
    }

    var negated: Decimal10 {
        var copy = self
        copy.isNegative = !isNegative && !isZero
        return copy
    }
}

extension Decimal10: Comparable {
    static func < (a: Decimal10, b: Decimal10) -> Bool {
        if a.isNegative != b.isNegative { return a.isNegative }
        return a.isNegative ? b.magnitudePrecedes(a) : a.magnitudePrecedes(b)
    }

    private func magnitudePrecedes(_ other: Decimal10) -> Bool {
        if integer.count != other.integer.count { return integer.count < other.integer.count }
        if integer != other.integer { return integer.lexicographicallyPrecedes(other.integer) }
        return fraction.lexicographicallyPrecedes(other.fraction)
    }
}

extension Decimal10 {
    /// The remainder of the integer part modulo `divisor`.
    func remainder(by divisor: Int) -> Int {
        integer.reduce(0) { ($0 * 10 + Int($1)) % divisor }
    }

    /// Whether it is exactly a multiple of `divisor`; nil if there are too many digits.
    func isMultiple(of divisor: Decimal10) -> Bool? {
        let places = max(fraction.count, divisor.fraction.count)
        let digits = divisor.digits(places)
        guard digits.count <= 17, !divisor.isZero else { return nil }
        let scaled = digits.reduce(0) { $0 * 10 + Int($1) }
        return self.digits(places).reduce(0) { ($0 * 10 + Int($1)) % scaled } == 0
    }

    /// The digits of the number times 10 to the power of `places`, which is at least the number of decimal places.
    private func digits(_ places: Int) -> [UInt8] {
        integer + fraction + Array(repeating: 0, count: places - fraction.count)
    }

    /// The shortest decimal text without an exponent.
    var text: String {
        func joined(_ digits: [UInt8]) -> String { digits.map(String.init).joined() }
        return (isNegative ? "-" : "") + (integer.isEmpty ? "0" : joined(integer))
            + (fraction.isEmpty ? "" : "." + joined(fraction))
    }

    /// The nearest double.
    var double: Double { Double(text) ?? .nan }

    /// The value of an integer within `Int`'s range.
    var int: Int? {
        guard isInteger else { return nil }
        return Int((isNegative ? "-" : "") + (integer.isEmpty ? "0" : integer.map(String.init).joined()))
    }
}
