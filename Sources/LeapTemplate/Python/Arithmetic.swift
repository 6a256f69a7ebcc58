import Foundation

/// The binary operators of arithmetic.
enum ArithmeticOperator: String, Sendable {
    case add = "+"
    case subtract = "-"
    case multiply = "*"
    case divide = "/"
    case floorDivide = "//"
    case modulo = "%"
    case power = "**"

    /// As CPython names it in error messages.
    var label: String { self == .power ? "** or pow()" : rawValue }
}

extension Interpreter {
    /// `left op right` with Python's semantics.
    func arithmetic(_ operation: ArithmeticOperator, _ left: Value, _ right: Value) throws(Failure) -> Value {
        if let result = try Self.smallIntegers(operation, left, right) { return result }
        if operation == .modulo, let format = left.text {
            return try PercentFormat.format(format, isMarkup: left.isMarkup, with: right, self)
        }
        if case .undefined(let undefined) = left { throw undefined.failure }
        if case .undefined(let undefined) = right { throw undefined.failure }
        if let left = Number(left), let right = Number(right) { return try numbers(operation, left, right) }
        switch operation {
        case .add: return try concatenate(left, right)
        case .multiply: return try repeated(left, right)
        default: throw Self.unsupported(operation, left, right)
        }
    }

    static func unsupported(_ operation: ArithmeticOperator, _ left: Value, _ right: Value) -> Failure {
        .type("unsupported operand type(s) for \(operation.label): '\(left.typeName)' and '\(right.typeName)'")
    }

    /// The fast path; nil if an operand has another type or the result overflows.
    private static func smallIntegers(
        _ operation: ArithmeticOperator, _ left: Value, _ right: Value
    ) throws(Failure) -> Value? {
        guard case .int(let left) = left, case .int(let right) = right else { return nil }
        let result: (partialValue: Int, overflow: Bool)
        switch operation {
        case .add: result = left.addingReportingOverflow(right)
        case .subtract: result = left.subtractingReportingOverflow(right)
        case .multiply: result = left.multipliedReportingOverflow(by: right)
        case .modulo where right != 0 && right != -1:
            let remainder = left % right
            return .int(remainder != 0 && (remainder < 0) != (right < 0) ? remainder + right : remainder)
        default: return nil
        }
        return result.overflow ? nil : .int(result.partialValue)
    }
}

// MARK: - Numbers

extension Interpreter {
    private func numbers(
        _ operation: ArithmeticOperator, _ left: Number, _ right: Number
    ) throws(Failure) -> Value {
        if operation == .divide, let left = left.bigInteger, let right = right.bigInteger {
            try budget.work(left, right)
        }
        if operation == .divide { return .float(try Self.divide(left, right)) }
        if let left = left.bigInteger, let right = right.bigInteger { return try integers(operation, left, right) }
        return .float(try Self.floats(operation, left.double(), right.double()))
    }

    private static func divide(_ left: Number, _ right: Number) throws(Failure) -> Double {
        guard !right.isZero else {
            if case .float = left { throw .divisionByZero("float division by zero") }
            if case .float = right { throw .divisionByZero("float division by zero") }
            throw .divisionByZero("division by zero")
        }
        if case .int(let left) = left, case .int(let right) = right,
            let left = Double(exactly: left), let right = Double(exactly: right)
        {
            return left / right
        }
        guard let dividend = left.bigInteger, let divisor = right.bigInteger else {
            return try left.double() / right.double()
        }
        guard let quotient = dividend.quotient(by: divisor) else {
            throw .overflow("integer division result too large for a float")
        }
        return quotient
    }

    private func integers(
        _ operation: ArithmeticOperator, _ left: BigInteger, _ right: BigInteger
    ) throws(Failure) -> Value {
        try budget.work(left, right)
        switch operation {
        case .add: return try .integer(left + right)
        case .subtract: return try .integer(left - right)
        case .multiply: return try .integer(left * right)
        case .power: return try power(left, right)
        case .floorDivide, .modulo, .divide:
            guard !right.isZero else { throw .divisionByZero("integer division or modulo by zero") }
            let (quotient, remainder) = left.flooredDivision(by: right)
            return try .integer(operation == .modulo ? remainder : quotient)
        }
    }

    private func power(_ base: BigInteger, _ exponent: BigInteger) throws(Failure) -> Value {
        if exponent.isNegative {
            return .float(try Self.floats(.power, Number.bigInt(base).double(), Number.bigInt(exponent).double()))
        }
        var result = BigInteger(1)
        if base.bitWidth <= 1 {
            // Powers of 0, 1 and -1 stay small whatever the exponent.
            let isOdd = (exponent.magnitude.first ?? 0) & 1 == 1
            if exponent.isZero { return .int(1) }
            return try .integer(base.isNegative && !isOdd ? -base : base)
        }
        guard let count = exponent.int, count <= Budget.integerDigits * 4 else {
            throw .limit(.integerDigits(Budget.integerDigits))
        }
        for bit in (0..<max(1, Int.bitWidth - count.leadingZeroBitCount)).reversed() {
            try budget.work(result, result)
            result = result * result
            if count >> bit & 1 == 1 { result = result * base }
            _ = try Value.integer(result)
        }
        return try .integer(result)
    }

    static func floats(_ operation: ArithmeticOperator, _ left: Double, _ right: Double) throws(Failure) -> Double {
        switch operation {
        case .add: return left + right
        case .subtract: return left - right
        case .multiply: return left * right
        case .divide: return left / right
        case .power: return try power(left, right)
        case .floorDivide:
            guard right != 0 else { throw .divisionByZero("float floor division by zero") }
            return flooredDivision(left, right).quotient
        case .modulo:
            guard right != 0 else { throw .divisionByZero("float modulo") }
            return flooredDivision(left, right).remainder
        }
    }

    /// CPython's `divmod` for floats: the remainder is exact and the quotient is consistent with it.
    private static func flooredDivision(_ left: Double, _ right: Double) -> (quotient: Double, remainder: Double) {
        var remainder = left.truncatingRemainder(dividingBy: right)
        var quotient = (left - remainder) / right
        if remainder == 0 {
            remainder = right < 0 ? -0.0 : 0.0
        } else if (right < 0) != (remainder < 0) {
            remainder += right
            quotient -= 1
        }
        guard quotient != 0 else { return ((left / right).sign == .minus ? -0.0 : 0.0, remainder) }
        let floor = quotient.rounded(.down)
        return (quotient - floor > 0.5 ? floor + 1 : floor, remainder)
    }

    private static func power(_ base: Double, _ exponent: Double) throws(Failure) -> Double {
        if base == 0, exponent < 0 { throw .divisionByZero("0.0 cannot be raised to a negative power") }
        let result = pow(base, exponent)
        if result.isNaN, !base.isNaN, !exponent.isNaN { throw .value("the result is a complex number") }
        if result.isInfinite, base.isFinite, exponent.isFinite {
            throw .overflow("(34, 'Numerical result out of range')")
        }
        return result
    }
}

// MARK: - Sequences

extension Interpreter {
    private func concatenate(_ left: Value, _ right: Value) throws(Failure) -> Value {
        switch (left, right) {
        case (.string(let left), .string(let right)): return try budget.string(joined(left, right))
        case (.markup(let left), .markup(let right)): return .markup(try joined(left, right))
        case (.markup(let left), .string(let right)): return .markup(try joined(left, try escaped(right)))
        case (.string(let left), .markup(let right)): return .markup(try joined(try escaped(left), right))
        case (.list(let left), .list(let right)):
            try budget.expect(elements: left.items.count + right.items.count)
            return try budget.list(left.items + right.items)
        case (.tuple(let left), .tuple(let right)):
            try budget.expect(elements: left.items.count + right.items.count)
            return try budget.tuple(left.items + right.items)
        case (.string, _), (.markup, _), (.list, _), (.tuple, _):
            let type = left.isMarkup ? "str" : left.typeName
            throw .type("can only concatenate \(type) (not \"\(right.typeName)\") to \(type)")
        default: throw Self.unsupported(.add, left, right)
        }
    }

    private func joined(_ left: String, _ right: String) throws(Failure) -> String {
        try budget.allocate(bytes: left.utf8.count + right.utf8.count)
        return left + right
    }

    private func repeated(_ left: Value, _ right: Value) throws(Failure) -> Value {
        if let count = try repetitions(right) { return try repeated(left, times: count, other: right) }
        if let count = try repetitions(left) { return try repeated(right, times: count, other: left) }
        throw Self.nonIntegerRepetition(left, right)
    }

    private static func nonIntegerRepetition(_ left: Value, _ right: Value) -> Failure {
        for (sequence, other) in [(left, right), (right, left)] {
            switch sequence {
            case .string, .markup, .list, .tuple:
                return .type("can't multiply sequence by non-int of type '\(other.typeName)'")
            default: continue
            }
        }
        return unsupported(.multiply, left, right)
    }

    private func repetitions(_ value: Value) throws(Failure) -> Int? {
        switch value {
        case .int(let count): return max(0, count)
        case .bool(let flag): return flag ? 1 : 0
        case .bigInt: throw .overflow("cannot fit 'int' into an index-sized integer")
        default: return nil
        }
    }

    private func repeated(_ sequence: Value, times count: Int, other: Value) throws(Failure) -> Value {
        switch sequence {
        case .string(let text), .markup(let text):
            try budget.allocate(text, times: count)
            let result = text.isEmpty ? "" : String(repeating: text, count: count)
            return sequence.isMarkup ? .markup(result) : .string(result)
        case .list(let list): return try budget.list(repeated(list.items, times: count))
        case .tuple(let tuple): return try budget.tuple(repeated(tuple.items, times: count))
        default: throw Self.unsupported(.multiply, sequence, other)
        }
    }

    private func repeated(_ items: [Value], times count: Int) throws(Failure) -> [Value] {
        let (total, overflow) = items.count.multipliedReportingOverflow(by: count)
        try budget.expect(elements: overflow ? .max : total)
        guard total > 0 else { return [] }
        return Array([[Value]](repeating: items, count: count).joined())
    }
}

// MARK: - Unary operators

extension Interpreter {
    /// `-value` or, if not `isNegated`, `+value`.
    func signed(_ value: Value, isNegated: Bool) throws(Failure) -> Value {
        if case .undefined(let undefined) = value { throw undefined.failure }
        switch Number(value) {
        case .float(let number): return .float(isNegated ? -number : number)
        case .int(let number): return try .integer(isNegated ? -BigInteger(number) : BigInteger(number))
        case .bigInt(let number): return try .integer(isNegated ? -number : number)
        case nil: throw .type("bad operand type for unary \(isNegated ? "-" : "+"): '\(value.typeName)'")
        }
    }
}
