import LeapJSON
import OrderedCollections

/// Numbers: an automaton over their digits.
extension SchemaCompiler {
    /// The digits of integers without bounds, which therefore fit in 64 bits.
    private static let integerLength = 18
    /// The digits of numbers without bounds, before and after the decimal point.
    private static let numberLength = 25
    private static let fractionLength = 30
    /// Decimal digits that a double preserves.
    private static let doublePrecision = 15
    /// Automata for divisibility have one state per remainder; larger divisors are evaluated on complete values
    /// instead.
    static let divisorLimit = 20_000

    func numberNode(_ types: SchemaTypes, _ shape: SchemaShape) throws(ShapeError) -> NodeID {
        let excluded = shape.excluded.filter { !SchemaTypes(of: $0).isDisjoint(with: .number) }.map { Decimal10($0) }
        guard excluded.allSatisfy({ $0.map { $0.integer.count <= Self.doublePrecision } ?? false }) else {
            throw .refused(conflict("not", shape, "cannot exclude a number of this size"))
        }
        let isInteger = types == .integer || !shape.number.multiples.isEmpty
        guard types.contains(.integer) || !isInteger else {
            throw .contradiction(conflict("multipleOf", shape, "allows no number other than integers"))
        }
        let format: Expression
        if types.contains(.integer) {
            format =
                isInteger
                ? integerFormat(shape.number) : numberFormat(shape.number, excluding: excluded.compactMap(\.self))
        } else {
            format = NumberExpressions.fractions(length: Self.fractionLength / 2)
        }
        if shape.number.isFree, excluded.isEmpty {
            return try refusing { () throws(ConstraintError) in try node(format) }
        }
        let key = SharedAutomata.Key.numbers(format: format, shape.number, excluded: excluded.compactMap(\.self))
        if let known = numberIndex[key] { return add(.automaton(known)) }
        let automaton: ByteAutomaton
        do {
            automaton = try SharedAutomata.automaton(key) { () throws(AutomatonError) in
                try numbers(format, shape, excluding: excluded.compactMap(\.self))
            }
        } catch {
            guard shape.divisions.isEmpty else { return try dividedNode(shape) }
            throw .refused(conflict(boundKeyword(shape), shape, "needs an automaton that is too large"))
        }
        guard !automaton.isEmpty else {
            throw .contradiction(conflict(boundKeyword(shape), shape, "allows no number"))
        }
        let index = try refusing { () throws(ConstraintError) in try addAutomaton(automaton) }
        numberIndex[key] = index
        return add(.automaton(index))
    }

    /// Integers whose remainders would need too many states: they are evaluated once they are complete.
    private func dividedNode(_ shape: SchemaShape) throws(ShapeError) -> NodeID {
        var rest = shape
        rest.divisions = []
        rest.number.multiples = []
        rest.number.places = 0
        rest.checks = shape.divisions.map { ($0, .number) }
        return try judged(try numberNode(.integer, rest), .integer, rest)
    }

    private func boundKeyword(_ shape: SchemaShape) -> String {
        ["minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "multipleOf"].first { shape.places[$0] != nil }
            ?? "not"
    }

    private func numbers(
        _ format: Expression, _ shape: SchemaShape, excluding excluded: [Decimal10]
    ) throws(AutomatonError) -> ByteAutomaton {
        var automaton = try Determinizer.automaton(format)
        for number in excluded {
            let others = try Determinizer.automaton(NumberExpressions.spellings(of: number)).complement()
            automaton = try automaton.intersection(others)
        }
        if let bound = shape.number.minimum {
            let above = NumberExpressions.atLeast(bound.value, isStrict: bound.isStrict)
            automaton = try automaton.intersection(try Determinizer.automaton(above))
        }
        if let bound = shape.number.maximum {
            let below = NumberExpressions.atMost(bound.value, isStrict: bound.isStrict)
            automaton = try automaton.intersection(try Determinizer.automaton(below))
        }
        for divisor in shape.number.multiples where divisor > 1 {
            automaton = try automaton.intersection(Self.multiples(of: divisor))
        }
        return automaton
    }

    private func digits(_ number: NumberShape, atLeast minimum: Int) -> Int {
        max(minimum, number.minimum?.value.integer.count ?? 0, number.maximum?.value.integer.count ?? 0)
    }

    private func integerFormat(_ number: NumberShape) -> Expression {
        // Implementations that use doubles must find the same remainder.
        let hasDivisor = !number.multiples.isEmpty || number.places != nil
        let length = hasDivisor ? Self.doublePrecision : Self.integerLength
        let withZeros =
            reading.permitsAnySpelling && number.multiples.isEmpty && !document.draft.integersHaveNoPoint
        return NumberExpressions.integers(length: digits(number, atLeast: length), withZeros: withZeros)
    }

    /// Without bounds: the range of a double. With an exclusive bound or excluded numbers: no more
    /// significant digits near them than a double preserves, because an implementation must not round a neighbouring
    /// number to one of these. No number with so few digits is rounded to 0.
    private func numberFormat(_ number: NumberShape, excluding excluded: [Decimal10]) -> Expression {
        var fractionLength = number.places ?? Self.fractionLength
        let strict = [number.minimum, number.maximum].compactMap { $0 }.filter(\.isStrict).map(\.value)
        for value in strict + excluded where !value.isZero {
            fractionLength = min(fractionLength, max(Self.doublePrecision - value.magnitude, 0))
        }
        let isFree = number.minimum == nil && number.maximum == nil && number.places == nil && excluded.isEmpty
        return NumberExpressions.numbers(
            length: digits(number, atLeast: number.places == nil ? Self.numberLength : Self.doublePrecision),
            fractionLength: fractionLength, exponents: isFree)
    }

    /// Digits whose number is divisible: one state per remainder; digit d leads from r to (10 r + d) mod divisor.
    private static func multiples(of divisor: Int) -> ByteAutomaton {
        let classes = (0..<256).map { byte -> UInt8 in
            switch UInt8(byte) {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt8(byte) - UInt8(ascii: "0")
            case UInt8(ascii: "-"): 10
            default: 11
            }
        }
        var table: [ByteAutomaton.StateID] = []
        for remainder in 0..<divisor {
            for digit in 0..<10 { table.append(ByteAutomaton.StateID((remainder * 10 + digit) % divisor)) }
            table += [remainder == 0 ? 0 : ByteAutomaton.dead, ByteAutomaton.dead]
        }
        return ByteAutomaton(
            classes: classes, classCount: 12, table: table, accepting: (0..<divisor).map { $0 == 0 })
    }
}
