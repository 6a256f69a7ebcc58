/// How a terminal shows a character.
extension Character {
    /// A visible notation for characters that would be invisible or control the terminal: `^C` for control characters, the
    /// code points of invisible ones, and a dotted circle under an accent without a letter. `nil` for all others.
    package var notation: String? {
        guard let first = unicodeScalars.first, first.value < 0x20 || first.value >= 0x7F else { return nil }
        if first.value < 0x20 { return unicodeScalars.map(\.caretNotation).joined() }
        if first.value == 0x7F { return "^?" }
        return switch first.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .surrogate:
            unicodeScalars.map { "<\(String($0.value, radix: 16, uppercase: true))>" }.joined()
        case .nonspacingMark, .enclosingMark: "\u{25CC}\(self)"
        default: nil
        }
    }

    /// The columns that it takes: two for East Asian wide characters and for emoji.
    package var columns: Int {
        guard let first = unicodeScalars.first else { return 0 }
        let isWide = first.value >= 0x1100 && (first.properties.isEmojiPresentation || first.isWide)
        return isWide || unicodeScalars.contains(Self.emojiSelector) ? 2 : 1
    }

    /// Turns the preceding character into an emoji.
    private static let emojiSelector: UnicodeScalar = "\u{FE0F}"

    /// Whether terminals may disagree about the width: few know that of characters with several code points.
    package var isCluster: Bool {
        guard let first = unicodeScalars.first, first.value >= 0xA0 || utf8.count > 1 else { return false }
        return first.isRegionalIndicator || unicodeScalars.dropFirst().first != nil
    }
}

extension StringProtocol {
    /// The columns that a text without control characters takes.
    package var columns: Int { reduce(0) { $0 + $1.columns } }

    /// As much of its beginning as fits some columns.
    package func prefix(columns: Int) -> SubSequence {
        var room = columns
        return prefix { character in
            room -= character.columns
            return room >= 0
        }
    }
}

extension Unicode.Scalar {
    /// `^A` for U+0001.
    fileprivate var caretNotation: String { "^" + String(UnicodeScalar(UInt8(value & 0x1F) + 0x40)) }

    /// Whether two such characters form a flag.
    fileprivate var isRegionalIndicator: Bool { 0x1F1E6...0x1F1FF ~= value }

    /// Source: Unicode Standard Annex 11, the ranges with the property W or F except emoji.
    fileprivate var isWide: Bool {
        switch value {
        case 0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x3247, 0x3250...0xA4CF, 0xA960...0xA97F,
            0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
            0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x1F200...0x1F265, 0x20000...0x2FFFD, 0x30000...0x3FFFD:
            true
        default: false
        }
    }
}
