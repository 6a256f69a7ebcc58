extension RegexParser {
    /// `\p{…}`: a general category by its short or long name. Scripts and other properties are refused.
    mutating func property(_ start: Int, isInverted: Bool) throws(RegexError) -> ScalarSet {
        var name = ""
        if take("{") {
            while let scalar = peek, scalar != "}" {
                name.unicodeScalars.append(scalar)
                position += 1
            }
            _ = take("}")
        }
        for prefix in ["General_Category=", "gc="] where name.hasPrefix(prefix) { name.removeFirst(prefix.count) }
        guard let set = UnicodeCategories.set(named: name) else {
            throw RegexError(position: start, reason: "the Unicode property '\(name)' cannot be enforced")
        }
        return isInverted ? set.inverted : set
    }
}

/// The general categories of Unicode as sets, computed from the standard library's tables when first asked for.
enum UnicodeCategories {
    /// The scalars of a category (`Lu`) or of a group of them (`L`, `Letter`).
    static func set(named name: String) -> ScalarSet? {
        let short = longNames[name] ?? name
        guard short.count <= 2, let initial = short.first, "LMNPSZC".contains(initial) else { return nil }
        let matching = sets.filter { short.count == 1 ? $0.key.first == initial : $0.key == short }
        guard !matching.isEmpty else { return nil }
        return ScalarSet(matching.values.flatMap { $0 })
    }

    private static let longNames = [
        "Letter": "L", "Uppercase_Letter": "Lu", "Lowercase_Letter": "Ll", "Titlecase_Letter": "Lt",
        "Modifier_Letter": "Lm", "Other_Letter": "Lo", "Mark": "M", "Number": "N", "Decimal_Number": "Nd",
        "digit": "Nd", "punct": "P", "cntrl": "Cc",
        "Punctuation": "P", "Symbol": "S", "Separator": "Z", "Space_Separator": "Zs", "Other": "C",
    ]

    private static let sets: [String: [ClosedRange<UInt32>]] = {
        var sets: [String: [ClosedRange<UInt32>]] = [:]
        var current = ""
        var begin: UInt32 = 0
        func close(at end: UInt32) {
            if !current.isEmpty { sets[current, default: []].append(begin...end) }
        }
        for value in UInt32(0)...0x10FFFF {
            let name = Unicode.Scalar(value).map { abbreviation($0.properties.generalCategory) } ?? ""
            guard name != current else { continue }
            if value > 0 { close(at: value - 1) }
            (current, begin) = (name, value)
        }
        close(at: 0x10FFFF)
        return sets
    }()

    private static func abbreviation(_ category: Unicode.GeneralCategory) -> String {
        switch category {
        case .uppercaseLetter: "Lu"
        case .lowercaseLetter: "Ll"
        case .titlecaseLetter: "Lt"
        case .modifierLetter: "Lm"
        case .otherLetter: "Lo"
        case .nonspacingMark: "Mn"
        case .spacingMark: "Mc"
        case .enclosingMark: "Me"
        case .decimalNumber: "Nd"
        case .letterNumber: "Nl"
        case .otherNumber: "No"
        case .connectorPunctuation: "Pc"
        case .dashPunctuation: "Pd"
        case .openPunctuation: "Ps"
        case .closePunctuation: "Pe"
        case .initialPunctuation: "Pi"
        case .finalPunctuation: "Pf"
        case .otherPunctuation: "Po"
        case .mathSymbol: "Sm"
        case .currencySymbol: "Sc"
        case .modifierSymbol: "Sk"
        case .otherSymbol: "So"
        case .spaceSeparator: "Zs"
        case .lineSeparator: "Zl"
        case .paragraphSeparator: "Zp"
        case .control: "Cc"
        case .format: "Cf"
        case .privateUse: "Co"
        case .surrogate, .unassigned: "Cn"
        @unknown default: "Cn"
        }
    }
}
