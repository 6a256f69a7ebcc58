/// The sequence that a terminal sends for a key that is not a character: parameters and a final byte after `ESC [` or
/// `ESC O`.
struct ControlSequence {
    /// A generous limit on the bytes of a key's parameters.
    static let parameterLimit = 32

    /// The meaning of a sequence.
    enum Meaning {
        case key(Key)
        case pasteBegins
    }

    private let numbers: [Int?]
    private let final: UInt8

    init(parameters: [UInt8], final: UInt8) {
        numbers =
            parameters.isEmpty
            ? []
            : parameters.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
                .map { Int(String(decoding: $0, as: UTF8.self)) }
        self.final = final
    }

    /// The meaning of the sequence; `nil` for one that is not used here.
    var meaning: Meaning? {
        if final == UInt8(ascii: "~") && number(0) == 200 { return .pasteBegins }
        return key.map(Meaning.key)
    }

    private var key: Key? {
        switch final {
        case UInt8(ascii: "A"): .up
        case UInt8(ascii: "B"): .down
        case UInt8(ascii: "C"): isJump ? .wordRight : .right
        case UInt8(ascii: "D"): isJump ? .wordLeft : .left
        case UInt8(ascii: "F"): .end
        case UInt8(ascii: "H"): .home
        case UInt8(ascii: "M") where numbers.isEmpty: .enter
        case UInt8(ascii: "~"): numberedKey
        case UInt8(ascii: "u") where number(0) == Self.enter: modifiers == 0 ? .enter : .newline
        default: nil
        }
    }

    private var numberedKey: Key? {
        switch number(0) {
        case 1, 7: .home
        case 4, 8: .end
        case 3: isJump ? .killWordRight : .delete
        case 27 where number(2) == Self.enter: .newline
        default: nil
        }
    }

    /// The code of the Enter key on terminals that report keys by code.
    private static let enter = 13

    /// Modifiers of the key: 1 Shift, 2 Alt, 4 Control.
    private var modifiers: Int { max(1, number(1) ?? 1) - 1 }

    /// Whether Alt or Control is pressed, with which arrows move by words.
    private var isJump: Bool { modifiers & 6 != 0 }

    private func number(_ index: Int) -> Int? { index < numbers.count ? numbers[index] : nil }
}
