import Synchronization

extension RegexParser {
    /// `\p{…}`: a general category by its short or long name, or a binary property. Scripts are rejected.
    mutating func property(_ start: Int, isInverted: Bool) throws(RegexError) -> ScalarSet {
        var name = ""
        if take("{") {
            while let scalar = peek, scalar != "}" {
                name.unicodeScalars.append(scalar)
                position += 1
            }
            _ = take("}")
        }
        let category = ["General_Category=", "gc="].first { name.hasPrefix($0) }.map { name.dropFirst($0.count) }
        let found = category.map { UnicodeCategories.set(named: String($0)) }
        guard let set = found ?? UnicodeCategories.set(named: name) ?? UnicodeBinaryProperties.set(named: name) else {
            throw RegexError(position: start, reason: "the Unicode property '\(name)' cannot be enforced")
        }
        return isInverted ? set.inverted : set
    }
}

/// The general categories of Unicode as sets, computed from the standard library's tables on first use.
enum UnicodeCategories {
    /// The scalars of a category (`Lu`) or of a group of them (`L`, `Letter`).
    static func set(named name: String) -> ScalarSet? {
        let short = longNames[name] ?? name
        if short == "LC" { return ScalarSet(["Lu", "Ll", "Lt"].flatMap { sets[$0] ?? [] }) }
        guard short.count <= 2, let initial = short.first, "LMNPSZC".contains(initial) else { return nil }
        let matching = sets.filter { short.count == 1 ? $0.key.first == initial : $0.key == short }
        guard !matching.isEmpty else { return nil }
        return ScalarSet(matching.values.flatMap { $0 })
    }

    private static let longNames = [
        "Letter": "L", "Cased_Letter": "LC", "Uppercase_Letter": "Lu", "Lowercase_Letter": "Ll",
        "Titlecase_Letter": "Lt", "Modifier_Letter": "Lm", "Other_Letter": "Lo", "Mark": "M", "Combining_Mark": "M",
        "Nonspacing_Mark": "Mn", "Spacing_Mark": "Mc", "Enclosing_Mark": "Me", "Number": "N", "Decimal_Number": "Nd",
        "digit": "Nd", "Letter_Number": "Nl", "Other_Number": "No", "Punctuation": "P", "punct": "P",
        "Connector_Punctuation": "Pc", "Dash_Punctuation": "Pd", "Open_Punctuation": "Ps", "Close_Punctuation": "Pe",
        "Initial_Punctuation": "Pi", "Final_Punctuation": "Pf", "Other_Punctuation": "Po", "Symbol": "S",
        "Math_Symbol": "Sm", "Currency_Symbol": "Sc", "Modifier_Symbol": "Sk", "Other_Symbol": "So",
        "Separator": "Z", "Space_Separator": "Zs", "Line_Separator": "Zl", "Paragraph_Separator": "Zp", "Other": "C",
        "Control": "Cc", "cntrl": "Cc", "Format": "Cf", "Private_Use": "Co", "Unassigned": "Cn",
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

/// The binary properties of ECMA-262 that the standard library supports.
enum UnicodeBinaryProperties {
    /// The scalars with a property, by its long or short name.
    static func set(named name: String) -> ScalarSet? {
        switch name {
        case "Any": return .all
        case "ASCII": return ScalarSet([0...0x7F])
        case "Assigned": return UnicodeCategories.set(named: "Cn")?.inverted
        case "Emoji_Component", "EComp": return emojiComponents.union(hair)
        case "Extended_Pictographic", "ExtPict": return set(named: "Emoji")?.subtracting(emojiComponents)
        default: break
        }
        let long = shortNames[name] ?? name
        return properties[long].map { property in known(long) { computed(property) } }
    }

    /// Components of emoji that are not emoji by themselves: keycap bases, joiners, regional indicators, skin tones,
    /// tags. Source: Unicode 17, emoji-data.txt, which also lists the code points reserved for pictographs.
    private static let emojiComponents = ScalarSet([
        0x23...0x23, 0x2A...0x2A, 0x30...0x39, 0x200D...0x200D, 0x20E3...0x20E3, 0xFE0F...0xFE0F, 0x1F1E6...0x1F1FF,
        0x1F3FB...0x1F3FF, 0xE0020...0xE007F,
    ])
    /// Hair components, which are both.
    private static let hair = ScalarSet([0x1F9B0...0x1F9B3])

    private typealias Property = @Sendable (Unicode.Scalar.Properties) -> Bool

    private static func computed(_ property: Property) -> ScalarSet {
        var ranges: [ClosedRange<UInt32>] = []
        var begin: UInt32?
        for value in UInt32(0)...0x110000 {
            let holds = Unicode.Scalar(value).map { property($0.properties) } ?? false
            if holds, begin == nil { begin = value }
            if !holds, let first = begin {
                ranges.append(first...value - 1)
                begin = nil
            }
        }
        return ScalarSet(ranges)
    }

    private static let kept = Mutex<[String: ScalarSet]>([:])

    private static func known(_ name: String, _ make: () -> ScalarSet) -> ScalarSet {
        if let known = kept.withLock({ $0[name] }) { return known }
        let set = make()
        kept.withLock { $0[name] = set }
        return set
    }

    private static let shortNames = [
        "Alpha": "Alphabetic", "AHex": "ASCII_Hex_Digit", "Bidi_C": "Bidi_Control", "Bidi_M": "Bidi_Mirrored",
        "CI": "Case_Ignorable", "CWCF": "Changes_When_Casefolded", "CWCM": "Changes_When_Casemapped",
        "CWL": "Changes_When_Lowercased", "CWKCF": "Changes_When_NFKC_Casefolded", "CWT": "Changes_When_Titlecased",
        "CWU": "Changes_When_Uppercased", "DI": "Default_Ignorable_Code_Point", "Dep": "Deprecated",
        "Dia": "Diacritic", "EMod": "Emoji_Modifier", "EBase": "Emoji_Modifier_Base", "EPres": "Emoji_Presentation",
        "Ext": "Extender", "Gr_Base": "Grapheme_Base", "Gr_Ext": "Grapheme_Extend", "Hex": "Hex_Digit",
        "IDSB": "IDS_Binary_Operator", "IDST": "IDS_Trinary_Operator", "IDC": "ID_Continue", "IDS": "ID_Start",
        "Ideo": "Ideographic", "Join_C": "Join_Control", "LOE": "Logical_Order_Exception", "Lower": "Lowercase",
        "NChar": "Noncharacter_Code_Point", "Pat_Syn": "Pattern_Syntax", "Pat_WS": "Pattern_White_Space",
        "QMark": "Quotation_Mark", "STerm": "Sentence_Terminal", "SD": "Soft_Dotted", "Term": "Terminal_Punctuation",
        "UIdeo": "Unified_Ideograph", "Upper": "Uppercase", "VS": "Variation_Selector", "space": "White_Space",
        "XIDC": "XID_Continue", "XIDS": "XID_Start",
    ]

    private static let properties: [String: Property] = [
        "Alphabetic": { $0.isAlphabetic }, "ASCII_Hex_Digit": { $0.isASCIIHexDigit },
        "Bidi_Control": { $0.isBidiControl }, "Bidi_Mirrored": { $0.isBidiMirrored },
        "Case_Ignorable": { $0.isCaseIgnorable }, "Cased": { $0.isCased },
        "Changes_When_Casefolded": { $0.changesWhenCaseFolded },
        "Changes_When_Casemapped": { $0.changesWhenCaseMapped },
        "Changes_When_Lowercased": { $0.changesWhenLowercased },
        "Changes_When_NFKC_Casefolded": { $0.changesWhenNFKCCaseFolded },
        "Changes_When_Titlecased": { $0.changesWhenTitlecased },
        "Changes_When_Uppercased": { $0.changesWhenUppercased }, "Dash": { $0.isDash },
        "Default_Ignorable_Code_Point": { $0.isDefaultIgnorableCodePoint }, "Deprecated": { $0.isDeprecated },
        "Diacritic": { $0.isDiacritic }, "Emoji": { $0.isEmoji }, "Emoji_Modifier": { $0.isEmojiModifier },
        "Emoji_Modifier_Base": { $0.isEmojiModifierBase }, "Emoji_Presentation": { $0.isEmojiPresentation },
        "Extender": { $0.isExtender }, "Grapheme_Base": { $0.isGraphemeBase },
        "Grapheme_Extend": { $0.isGraphemeExtend }, "Hex_Digit": { $0.isHexDigit },
        "IDS_Binary_Operator": { $0.isIDSBinaryOperator }, "IDS_Trinary_Operator": { $0.isIDSTrinaryOperator },
        "ID_Continue": { $0.isIDContinue }, "ID_Start": { $0.isIDStart }, "Ideographic": { $0.isIdeographic },
        "Join_Control": { $0.isJoinControl }, "Logical_Order_Exception": { $0.isLogicalOrderException },
        "Lowercase": { $0.isLowercase }, "Math": { $0.isMath },
        "Noncharacter_Code_Point": { $0.isNoncharacterCodePoint }, "Pattern_Syntax": { $0.isPatternSyntax },
        "Pattern_White_Space": { $0.isPatternWhitespace }, "Quotation_Mark": { $0.isQuotationMark },
        "Radical": { $0.isRadical }, "Sentence_Terminal": { $0.isSentenceTerminal },
        "Soft_Dotted": { $0.isSoftDotted }, "Terminal_Punctuation": { $0.isTerminalPunctuation },
        "Unified_Ideograph": { $0.isUnifiedIdeograph }, "Uppercase": { $0.isUppercase },
        "Variation_Selector": { $0.isVariationSelector }, "White_Space": { $0.isWhitespace },
        "XID_Continue": { $0.isXIDContinue }, "XID_Start": { $0.isXIDStart },
    ]
}
