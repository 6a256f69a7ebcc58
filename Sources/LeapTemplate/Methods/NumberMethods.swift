/// Attributes and methods of `int` and `float`.
enum NumberMethods {
    static let integer: [String: Builtin] = [
        "bit_length": Builtin("bit_length", ["_self"]) { _, arguments throws(Failure) in
            .int(Number(arguments[0])?.bigInteger?.bitWidth ?? 0)
        },
        "bit_count": Builtin("bit_count", ["_self"]) { _, arguments throws(Failure) in
            .int(Number(arguments[0])?.bigInteger?.magnitude.reduce(0) { $0 + $1.nonzeroBitCount } ?? 0)
        },
        "conjugate": Builtin("conjugate", ["_self"]) { _, arguments throws(Failure) in arguments[0] },
    ]

    static let float: [String: Builtin] = [
        "is_integer": Builtin("is_integer", ["_self"]) { _, arguments throws(Failure) in
            guard case .float(let number) = arguments[0] else { return .bool(false) }
            return .bool(number.isFinite && number.rounded(.towardZero) == number)
        },
        "conjugate": Builtin("conjugate", ["_self"]) { _, arguments throws(Failure) in arguments[0] },
    ]

    static func property(_ name: String, of value: Value) -> Value? {
        let number: Value
        if case .bool(let flag) = value { number = .int(flag ? 1 : 0) } else { number = value }
        let isFloat = if case .float = value { true } else { false }
        switch name {
        case "real": return number
        case "imag": return isFloat ? .float(0) : .int(0)
        case "numerator": return isFloat ? nil : number
        case "denominator": return isFloat ? nil : .int(1)
        default: return nil
        }
    }
}
