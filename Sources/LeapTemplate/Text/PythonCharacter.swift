/// Python's `str` predicates for one Unicode scalar.
extension Unicode.Scalar {
    /// `str.isspace`: also what `\s` matches and `strip` removes.
    package var isPythonSpace: Bool {
        switch value {
        case 0x09...0x0D, 0x1C...0x20, 0x85, 0xA0: true
        case 0..<0x1680: false
        case 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000: true
        default: false
        }
    }

    /// The line boundaries of `str.splitlines`.
    var isLineBreak: Bool {
        switch value {
        case 0x0A...0x0D, 0x1C...0x1E, 0x85, 0x2028, 0x2029: true
        default: false
        }
    }

    /// `str.isprintable`: everything but "other" and "separator" categories, and the plain space.
    var isPrintable: Bool {
        if isASCII { return 0x20...0x7E ~= value }
        switch properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned: return false
        case .lineSeparator, .paragraphSeparator, .spaceSeparator: return false
        default: return true
        }
    }

    /// `str.isalpha`.
    var isLetter: Bool {
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: true
        default: false
        }
    }

    /// `str.isdecimal`.
    var isDecimal: Bool { properties.numericType == .decimal }

    /// `str.isdigit`.
    var isDigit: Bool { properties.numericType == .decimal || properties.numericType == .digit }

    /// `str.isnumeric`.
    var isNumeric: Bool { properties.numericType != nil }

    /// `str.isalnum`.
    var isAlphanumeric: Bool { isLetter || isNumeric }

    /// `\w` in a regular expression.
    var isWordCharacter: Bool { isAlphanumeric || self == "_" }

    var isUppercase: Bool { properties.isUppercase }
    var isLowercase: Bool { properties.isLowercase }
    var isTitlecase: Bool { properties.generalCategory == .titlecaseLetter }
    var isCased: Bool { isUppercase || isLowercase || isTitlecase }

    /// The value of a decimal digit, in any script.
    var decimalValue: Int? {
        guard isDecimal, let value = properties.numericValue else { return nil }
        return Int(value)
    }
}
