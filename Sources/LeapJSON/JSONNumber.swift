extension JSONValue {
    /// Returns the integer given by decimal digits with an optional minus sign, without leading zeros.
    package static func integer(digits: String) -> JSONValue {
        Int(digits).map(JSONValue.integer) ?? .largeInteger(digits)
    }

    /// Returns the number given by a JSON text with a fraction or an exponent.
    package static func fraction(_ text: String) -> JSONValue {
        guard let number = Double(text), number.isFinite else { return .exactNumber(text) }
        let isLost = number == 0 && hasDigitBesideZero(text)
        return isLost ? .exactNumber(text) : .number(number)
    }

    private static func hasDigitBesideZero(_ text: String) -> Bool {
        text.utf8.prefix { $0 | 0x20 != UInt8(ascii: "e") }.contains { UInt8(ascii: "1")...UInt8(ascii: "9") ~= $0 }
    }

    /// The number with the opposite sign; `nil` for anything else.
    package var negated: JSONValue? {
        switch self {
        case .integer(let number):
            let (result, overflows) = (0 as Int).subtractingReportingOverflow(number)
            return overflows ? .largeInteger(String(number.magnitude)) : .integer(result)
        case .largeInteger(let digits): return .integer(digits: Self.negated(digits))
        case .exactNumber(let text): return .exactNumber(Self.negated(text))
        case .number(let number): return .number(-number)
        default: return nil
        }
    }

    private static func negated(_ text: String) -> String {
        text.hasPrefix("-") ? String(text.dropFirst()) : "-" + text
    }
}
