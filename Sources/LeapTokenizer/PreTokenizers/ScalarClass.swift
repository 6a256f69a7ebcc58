/// The classes of Unicode scalars that pre-tokenizer patterns tell apart, as a set of bits.
///
/// A scalar has exactly one of the first nine; `\r` and `\n` have `lineBreak` as well. Because it is a set, a bracket
/// expression is one too: `[\p{L}\p{M}]` is `[.letter, .mark]`. The empty set stands for "past the end of the piece",
/// so that a scanner needs no separate bounds check: no class contains it.
struct ScalarClass: OptionSet, Sendable, Hashable {
    let rawValue: UInt16

    /// `[\p{Lu}\p{Lt}]`
    static let upperCase = ScalarClass(rawValue: 1 << 0)
    /// `\p{Ll}`
    static let lowerCase = ScalarClass(rawValue: 1 << 8)
    /// `[\p{Lm}\p{Lo}]`: letters of scripts without case, and modifiers
    static let caseless = ScalarClass(rawValue: 1 << 9)
    /// `\p{L}`
    static let letter: ScalarClass = [.upperCase, .lowerCase, .caseless]
    /// `\p{M}`
    static let mark = ScalarClass(rawValue: 1 << 1)
    /// `\p{N}`
    static let number = ScalarClass(rawValue: 1 << 2)
    /// `\p{P}`
    static let punctuation = ScalarClass(rawValue: 1 << 3)
    /// `\p{S}`
    static let symbol = ScalarClass(rawValue: 1 << 4)
    /// `\s`: the White_Space property
    static let whitespace = ScalarClass(rawValue: 1 << 5)
    /// None of the others: controls, formats, private use, unassigned.
    static let other = ScalarClass(rawValue: 1 << 6)
    /// `[\r\n]`, beside `whitespace`
    static let lineBreak = ScalarClass(rawValue: 1 << 7)

    /// Whether the two sets have a member in common: `text.isAny(of: .letter)`.
    @inline(__always)
    func isAny(of set: ScalarClass) -> Bool { rawValue & set.rawValue != 0 }
}

extension ScalarClass {
    /// The class of a scalar value; values that are not Unicode scalars are `other`.
    ///
    /// - Parameter isOneOfMany: Whether enough values follow for looking up all classes first to pay off.
    @inline(__always)
    init(of value: UInt32, isOneOfMany: Bool = false) {
        if value < 0x80 {
            self = Self.ascii[Int(value)]
        } else if isOneOfMany, value < 0x1_0000 {
            self = Self.basicPlane[Int(value)]
        } else {
            self.init(uncached: value)
        }
    }

    private static let ascii: [ScalarClass] = (0..<0x80).map { ScalarClass(uncached: $0) }

    /// Every class of the Basic Multilingual Plane: 128 KiB, filled on first use (several milliseconds), because asking
    /// the standard library costs about a hundred nanoseconds a scalar. A program that starts to answer one short
    /// prompt never fills it.
    private static let basicPlane: [ScalarClass] = (0..<0x1_0000).map { ScalarClass(uncached: $0) }

    private init(uncached value: UInt32) {
        guard let scalar = Unicode.Scalar(value) else {
            self = .other
            return
        }
        if value == 0x0A || value == 0x0D {
            self = [.whitespace, .lineBreak]
        } else if scalar.properties.isWhitespace {
            self = .whitespace
        } else {
            self = Self.isAssigned(scalar) ? Self(scalar.properties.generalCategory) : .other
        }
    }

    /// Whether the scalar was assigned by Unicode 15.1.
    ///
    /// Vocabularies in use were made with tables up to that version. Without this limit the same text would split in
    /// another way on a platform whose standard library knows a newer Unicode.
    private static func isAssigned(_ scalar: Unicode.Scalar) -> Bool {
        guard let age = scalar.properties.age else { return false }
        return (age.major, age.minor) <= (15, 1)
    }

    private init(_ category: Unicode.GeneralCategory) {
        switch category {
        case .uppercaseLetter, .titlecaseLetter:
            self = .upperCase
        case .lowercaseLetter:
            self = .lowerCase
        case .modifierLetter, .otherLetter:
            self = .caseless
        case .nonspacingMark, .spacingMark, .enclosingMark:
            self = .mark
        case .decimalNumber, .letterNumber, .otherNumber:
            self = .number
        case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
            .finalPunctuation, .otherPunctuation:
            self = .punctuation
        case .mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol:
            self = .symbol
        default:
            self = .other
        }
    }
}
