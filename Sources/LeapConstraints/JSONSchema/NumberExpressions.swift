/// The spellings of JSON numbers as expressions: all numbers of a kind, and those on one side of a bound.
///
/// A bound is enforced digit by digit: a number with more digits before the point is larger; with equally many, the
/// first differing digit decides, likewise after the point. Numbers between two bounds are an intersection.
enum NumberExpressions {
    private static let digit = digits(0...9)
    private static let anyDigits = Expression.any(digit)
    private static let point = Expression.text(".")
    private static let minus = Expression.text("-")

    /// Integers of at most `length` digits. `-0` is not one of them.
    ///
    /// - Parameter withZeros: Whether a decimal point and zeros may follow.
    static func integers(length: Int, withZeros: Bool = false) -> Expression {
        let whole = Expression.choice([
            .text("0"),
            .sequence([.optional(minus), digits(1...9), .repetition(digit, minimum: 0, maximum: length - 1)]),
        ])
        guard withZeros else { return whole }
        let zeros = Expression.sequence([point, .text("0"), .any(.text("0"))])
        return .sequence([whole, .optional(zeros)])
    }

    /// Numbers with at most the given number of digits before and after the decimal point; with `exponents`, also in
    /// scientific notation within the range of a double.
    static func numbers(length: Int, fractionLength: Int, exponents: Bool) -> Expression {
        let whole = Expression.choice([
            .text("0"), .sequence([digits(1...9), .repetition(digit, minimum: 0, maximum: length - 1)]),
        ])
        var parts = [.optional(minus), whole]
        if fractionLength > 0 {
            parts.append(.optional(.sequence([point, .repetition(digit, minimum: 1, maximum: fractionLength)])))
        }
        if exponents {
            let exponent = Expression.choice([
                .repetition(digit, minimum: 1, maximum: 2), .sequence([.text("1"), digit, digit]),
                .sequence([.text("2"), digits(0...7), digit]),
            ])
            let sign = Expression.optional(.scalars(ScalarSet("+-")))
            parts.append(.optional(.sequence([.scalars(ScalarSet("eE")), sign, exponent])))
        }
        return .sequence(parts)
    }

    /// Non-integers with at most `length` digits before the point.
    static func fractions(length: Int) -> Expression {
        .sequence([
            numbers(length: length, fractionLength: 0, exponents: false), point,
            .repetition(digit, minimum: 0, maximum: 2), digits(1...9), .repetition(digit, minimum: 0, maximum: 2),
        ])
    }

    /// All spellings of one number without an exponent.
    static func spellings(of number: Decimal10) -> Expression {
        let whole = literal((number.integer.isEmpty ? [0] : number.integer)[...])
        let zeros = Expression.any(.text("0"))
        let digits = number.isInteger ? .text("0") : literal(number.fraction[...])
        let fraction = Expression.sequence([point, digits, zeros])
        let sign: Expression = number.isZero ? .optional(minus) : number.isNegative ? minus : .empty
        return .sequence([sign, whole, number.isInteger ? .optional(fraction) : fraction])
    }

    /// Numbers greater than or equal to `bound` or, if strict, greater.
    static func atLeast(_ bound: Decimal10, isStrict: Bool) -> Expression {
        if bound.isNegative {
            return .choice([anyMagnitude, .sequence([minus, magnitude(atMost: bound, isStrict: isStrict)])])
        }
        let positive = magnitude(atLeast: bound, isStrict: isStrict)
        return bound.isZero && !isStrict ? .choice([positive, .sequence([minus, zero])]) : positive
    }

    /// Numbers less than or equal to `bound` or, if strict, less.
    static func atMost(_ bound: Decimal10, isStrict: Bool) -> Expression {
        if bound.isNegative { return .sequence([minus, magnitude(atLeast: bound, isStrict: isStrict)]) }
        if bound.isZero {
            let negative = Expression.sequence([minus, magnitude(atLeast: bound, isStrict: isStrict)])
            return isStrict ? negative : .choice([zero, negative])
        }
        return .choice([.sequence([minus, anyMagnitude]), magnitude(atMost: bound, isStrict: isStrict)])
    }
}

// MARK: - Magnitudes

extension NumberExpressions {
    private static let anyFraction = Expression.optional(.sequence([point, anyDigits]))
    private static let anyMagnitude = Expression.sequence([
        .choice([.text("0"), .sequence([digits(1...9), anyDigits])]), anyFraction,
    ])
    private static let zero = Expression.sequence([.text("0"), .optional(.sequence([point, .any(.text("0"))]))])

    private static func magnitude(atLeast bound: Decimal10, isStrict: Bool) -> Expression {
        let whole = bound.integer.isEmpty ? [0] : bound.integer
        let more = Expression.sequence([digits(1...9), .repetition(digit, minimum: whole.count, maximum: nil)])
        var choices = [.sequence([more, anyFraction])] + compared(whole, above: true, first: true, tail: anyFraction)
        choices += fractions(from: bound.fraction, isStrict: isStrict).map { .sequence([literal(whole), $0]) }
        return .choice(choices)
    }

    private static func magnitude(atMost bound: Decimal10, isStrict: Bool) -> Expression {
        let whole = bound.integer.isEmpty ? [0] : bound.integer
        var choices = compared(whole, above: false, first: true, tail: anyFraction)
        if whole.count > 1 {
            let fewer = Expression.repetition(digit, minimum: 0, maximum: whole.count - 2)
            choices.append(.sequence([.choice([.text("0"), .sequence([digits(1...9), fewer])]), anyFraction]))
        }
        choices += fractions(upTo: bound.fraction, isStrict: isStrict).map { .sequence([literal(whole), $0]) }
        return .choice(choices)
    }

    /// As many digits as `limit` has, where the first differing digit is above or below. The first of several digits is
    /// not 0.
    private static func compared(_ limit: [UInt8], above: Bool, first: Bool, tail: Expression) -> [Expression] {
        limit.indices.compactMap { index in
            let lowest: UInt8 = first && index == 0 && limit.count > 1 ? 1 : 0
            let digit = limit[index]
            guard above ? digit < 9 : digit > lowest else { return nil }
            return .sequence([
                literal(limit[..<index]), digits(above ? digit + 1...9 : lowest...digit - 1),
                .repetition(Self.digit, minimum: limit.count - index - 1, maximum: limit.count - index - 1), tail,
            ])
        }
    }

    /// What may follow the bound's integer part such that the number is not below the bound.
    private static func fractions(from bound: [UInt8], isStrict: Bool) -> [Expression] {
        let nonzero = Expression.sequence([anyDigits, digits(1...9), anyDigits])
        guard !bound.isEmpty else { return [isStrict ? .sequence([point, nonzero]) : anyFraction] }
        let above = bound.indices.filter { bound[$0] < 9 }.map { index in
            Expression.sequence([point, literal(bound[..<index]), digits(bound[index] + 1...9), anyDigits])
        }
        return above + [.sequence([point, literal(bound), isStrict ? nonzero : anyDigits])]
    }

    /// What may follow the bound's integer part such that the number is not above the bound.
    private static func fractions(upTo bound: [UInt8], isStrict: Bool) -> [Expression] {
        let zeros = Expression.any(.text("0"))
        guard !bound.isEmpty else { return isStrict ? [] : [.optional(.sequence([point, zeros]))] }
        let below = bound.indices.flatMap { index in
            let shorter = Expression.sequence([point, literal(bound[...index])])
            let smaller =
                bound[index] == 0
                ? nil : Expression.sequence([point, literal(bound[..<index]), digits(0...bound[index] - 1), anyDigits])
            return (index < bound.count - 1 ? [shorter] : []) + (smaller.map { [$0] } ?? [])
        }
        return [.empty] + below + (isStrict ? [] : [.sequence([point, literal(bound), zeros])])
    }

    private static func digits(_ range: ClosedRange<UInt8>) -> Expression {
        .scalars(ScalarSet([UInt32(range.lowerBound) + 48...UInt32(range.upperBound) + 48]))
    }

    private static func literal(_ digits: some Sequence<UInt8>) -> Expression {
        .sequence(digits.map { Self.digits($0...$0) })
    }
}
