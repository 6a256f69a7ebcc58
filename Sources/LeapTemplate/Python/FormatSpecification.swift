import LeapJSON

/// Python's format specification mini-language: `[[fill]align][sign][#][0][width][grouping][.precision][type]`.
struct FormatSpecification {
    var fill: Unicode.Scalar = " "
    /// `<`, `>`, `^` or `=`; nil for the type's default.
    var alignment: Unicode.Scalar?
    /// Whether zeros are inserted between sign and digits, unless an alignment is given.
    var isZeroPadded = false
    var sign: Unicode.Scalar = "-"
    var isAlternate = false
    var width = 0
    var grouping: Unicode.Scalar?
    var precision: Int?
    var type: Unicode.Scalar?

    init() {}

    init(parsing text: String) throws(Failure) {
        var rest = Array(text.unicodeScalars)[...]
        let hasFill = rest.count >= 2 && Self.isAlignment(rest[1])
        if hasFill { fill = rest.removeFirst() }
        if let first = rest.first, Self.isAlignment(first) { alignment = rest.removeFirst() }
        if let first = rest.first, "+- ".unicodeScalars.contains(first) { sign = rest.removeFirst() }
        if rest.first == "#" {
            isAlternate = true
            rest.removeFirst()
        }
        if rest.first == "0" {
            isZeroPadded = alignment == nil
            if !hasFill { fill = "0" }
            rest.removeFirst()
        }
        width = try Self.number(&rest) ?? 0
        if let first = rest.first, first == "," || first == "_" { grouping = rest.removeFirst() }
        if rest.first == "." {
            rest.removeFirst()
            precision = try Self.number(&rest)
            if precision == nil { throw .value("Format specifier missing precision") }
        }
        type = rest.popFirst()
        if !rest.isEmpty { throw .value("Invalid format specifier '\(text)'") }
    }

    private static func isAlignment(_ scalar: Unicode.Scalar) -> Bool {
        "<>=^".unicodeScalars.contains(scalar)
    }

    private static func number(_ rest: inout ArraySlice<Unicode.Scalar>) throws(Failure) -> Int? {
        var value: Int?
        while let digit = rest.first?.decimalValue {
            rest.removeFirst()
            let next = (value ?? 0) * 10 + digit
            guard next < Int32.max else { throw .value("Too many decimal digits in format string") }
            value = next
        }
        return value
    }
}

// MARK: - Applying a specification

extension Interpreter {
    /// `format(value, specification)`.
    func format(_ value: Value, _ specification: String) throws(Failure) -> String {
        if specification.isEmpty { return try text(of: value) }
        let format = try FormatSpecification(parsing: specification)
        if let text = value.text { return try format.apply(toText: text, budget) }
        switch Number(value) {
        case .float(let number): return try format.apply(toFloat: number, budget)
        case .int(let number): return try format.apply(toInteger: BigInteger(number), budget)
        case .bigInt(let number): return try format.apply(toInteger: number, budget)
        case nil: throw .type("unsupported format string passed to \(value.typeName).__format__")
        }
    }
}

extension FormatSpecification {
    func apply(toText text: String, _ budget: Budget) throws(Failure) -> String {
        guard type == nil || type == "s" else { throw unknownType("str") }
        if let grouping { throw .value("Cannot specify '\(grouping)' with 's'.") }
        if sign != "-" { throw .value("Sign not allowed in string format specifier") }
        if alignment == "=" {
            throw .value("'=' alignment not allowed in string format specifier")
        }
        let shown = precision.map { text.scalars(in: 0..<min($0, text.scalarCount)) } ?? text
        return try pad("", shown, default: "<", budget)
    }

    private var numberAlignment: Unicode.Scalar { isZeroPadded ? "=" : ">" }

    func apply(toInteger number: BigInteger, _ budget: Budget) throws(Failure) -> String {
        switch type {
        case "e", "E", "f", "F", "g", "G", "%":
            guard let value = number.double else { throw .overflow("int too large to convert to float") }
            return try apply(toFloat: value, budget)
        case "c":
            guard let code = number.int, let scalar = UInt32(exactly: code).flatMap(Unicode.Scalar.init) else {
                throw .overflow("%c arg not in range(0x110000)")
            }
            return try pad("", String(scalar), default: "<", budget)
        default: break
        }
        if precision != nil { throw .value("Precision not allowed in integer format specifier") }
        try budget.work(number, number)
        let digits = try integerDigits(number)
        let prefix = isAlternate && type != "d" && type != nil ? "0" + String(type ?? "d") : ""
        let size = type == nil || type == "d" || type == "n" ? 3 : 4
        let head = signText(number.isNegative) + prefix
        let grouped = try group(digits, by: size, besides: head.utf8.count, budget)
        return try pad(head, grouped, default: numberAlignment, budget)
    }

    private func integerDigits(_ number: BigInteger) throws(Failure) -> String {
        let magnitude = BigInteger(isNegative: false, magnitude: number.magnitude)
        switch type {
        case nil, "d", "n": return magnitude.description
        case "b": return magnitude.text(radix: 2)
        case "o": return magnitude.text(radix: 8)
        case "x": return magnitude.text(radix: 16)
        case "X": return magnitude.text(radix: 16).uppercased()
        default: throw unknownType("int")
        }
    }

    func apply(toFloat value: Double, _ budget: Budget) throws(Failure) -> String {
        try budget.digits(places: precision ?? 6)
        let isNegative = value.sign == .minus && !value.isNaN
        let isUppercase = type.map { "EFG".unicodeScalars.contains($0) } ?? false
        var text =
            try value.isFinite ? floatText(value) : FloatText.nonFinite(value.magnitude) + (type == "%" ? "%" : "")
        if isUppercase { text = text.uppercased() }
        let point = text.firstIndex { !$0.isNumber } ?? text.endIndex
        let (head, tail) = (signText(isNegative), text[point...])
        let grouped = try group(
            String(text[..<point]), by: 3, besides: head.utf8.count + tail.utf8.count, budget)
        return try pad(head, grouped + tail, default: numberAlignment, budget)
    }

    private func floatText(_ value: Double) throws(Failure) -> String {
        let decimal = DecimalText(value)
        switch type {
        case "f", "F": return decimal.fixed(places: precision ?? 6) + (isAlternate && precision == 0 ? "." : "")
        case "%": return DecimalText(value * 100).fixed(places: precision ?? 6) + "%"
        case "e", "E": return exponential(decimal.significant((precision ?? 6) + 1))
        case "g", "G", "n": return general(decimal.significant(max(1, precision ?? 6)), keepsPoint: false)
        case nil:
            guard let precision else { return FloatText.shortest(value.magnitude) }
            return general(decimal.significant(max(1, precision)), keepsPoint: true)
        default: throw unknownType("float")
        }
    }

    private func exponential(_ number: (digits: String, exponent: Int)) -> String {
        let fraction = number.digits.dropFirst()
        let point = fraction.isEmpty && !isAlternate ? "" : "."
        return number.digits.prefix(1) + point + fraction + FloatText.exponentText(number.exponent)
    }

    /// `g`: positional notation for moderate exponents, without trailing zeros. `keepsPoint` is the rule without a
    /// type.
    private func general(_ number: (digits: String, exponent: Int), keepsPoint: Bool) -> String {
        let (digits, exponent) = number
        let isPlain = -4 <= exponent && exponent < digits.count - (keepsPoint ? 1 : 0)
        let zeros = isAlternate ? 0 : digits.reversed().prefix { $0 == "0" }.count
        let significant = String(digits.dropLast(min(zeros, digits.count - 1)))
        guard isPlain else { return exponential((significant, exponent)) }
        if exponent < 0 { return "0." + String(repeating: "0", count: -exponent - 1) + significant }
        let whole = significant.prefix(exponent + 1)
        let padded = whole + String(repeating: "0", count: exponent + 1 - whole.count)
        let fraction = significant.dropFirst(exponent + 1)
        if fraction.isEmpty { return padded + (keepsPoint ? ".0" : isAlternate ? "." : "") }
        return "\(padded).\(fraction)"
    }

    private func signText(_ isNegative: Bool) -> String {
        isNegative ? "-" : sign == "-" ? "" : String(sign)
    }

    /// Separates digits into groups; zeros that pad to the width count as digits.
    ///
    /// - Parameter others: The number of characters that are no digits of a group: a sign, a fraction.
    private func group(
        _ digits: String, by size: Int, besides others: Int, _ budget: Budget
    ) throws(Failure) -> String {
        guard let grouping, !digits.isEmpty else { return digits }
        let isZeroPadded = fill == "0" && (alignment ?? numberAlignment) == "="
        let width = isZeroPadded ? width - others : 0
        // A scalar has four bytes.
        try budget.allocate(bytes: 4 * max(0, width))
        var result: [Unicode.Scalar] = []
        var rest = Array(digits.unicodeScalars)
        var count = 0
        while !rest.isEmpty || result.count < width {
            if count > 0, count.isMultiple(of: size) { result.append(grouping) }
            result.append(rest.popLast() ?? "0")
            count += 1
        }
        return String(result.reversed())
    }

    private func pad(
        _ prefix: String, _ body: String, default own: Unicode.Scalar, _ budget: Budget
    ) throws(Failure) -> String {
        let missing = width - prefix.scalarCount - body.scalarCount
        guard missing > 0 else { return prefix + body }
        try budget.allocate(String(fill), times: missing)
        func filling(_ count: Int) -> String { String(repeating: String(fill), count: count) }
        switch alignment ?? own {
        case "<": return prefix + body + filling(missing)
        case "^": return filling(missing / 2) + prefix + body + filling(missing - missing / 2)
        case "=": return prefix + filling(missing) + body
        default: return filling(missing) + prefix + body
        }
    }

    private func unknownType(_ name: String) -> Failure {
        .value("Unknown format code '\(type.map(String.init) ?? "")' for object of type '\(name)'")
    }
}
