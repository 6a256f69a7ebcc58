/// A key as a line editor understands it.
enum Key: Equatable {
    case text(Character)
    case enter, backspace, delete
    case left, right, home, end, wordLeft, wordRight
    case previous, next
    case killToEnd, killToStart, killWord, clearScreen
    case interrupt, endOfInput
}

/// Turns the bytes of a terminal into keys.
///
/// Source: ECMA-48, section 5.4 (control sequences), and the key sequences that xterm documents.
struct KeyDecoder {
    private var pending: [UInt8] = []

    /// Takes one byte; returns the key that it completes.
    mutating func append(_ byte: UInt8) -> Key? {
        pending.append(byte)
        switch decode() {
        case .incomplete: return nil
        case .key(let key):
            pending.removeAll()
            return key
        }
    }

    private enum Decoded {
        case incomplete
        case key(Key?)
    }

    private func decode() -> Decoded {
        guard let first = pending.first else { return .incomplete }
        if first == 0x1B { return decodeEscape() }
        if first < 0x20 || first == 0x7F { return .key(Self.controls[first]) }
        return decodeText(first)
    }

    private static let controls: [UInt8: Key] = [
        0x01: .home, 0x02: .left, 0x03: .interrupt, 0x04: .endOfInput, 0x05: .end, 0x06: .right, 0x08: .backspace,
        0x0A: .enter, 0x0B: .killToEnd, 0x0C: .clearScreen, 0x0D: .enter, 0x0E: .next, 0x10: .previous,
        0x15: .killToStart, 0x17: .killWord, 0x7F: .backspace,
    ]

    private static let sequences: [String: Key] = [
        "[A": .previous, "[B": .next, "[C": .right, "[D": .left, "OA": .previous, "OB": .next, "OC": .right,
        "OD": .left, "[H": .home, "[F": .end, "OH": .home, "OF": .end, "[1~": .home, "[4~": .end, "[3~": .delete,
        "[7~": .home, "[8~": .end, "[1;5C": .wordRight, "[1;5D": .wordLeft, "b": .wordLeft, "f": .wordRight,
    ]

    /// An escape sequence ends with a letter or `~`; unknown ones are swallowed.
    private func decodeEscape() -> Decoded {
        guard pending.count > 1 else { return .incomplete }
        let body = String(decoding: pending.dropFirst(), as: UTF8.self)
        let introduced = pending[1] == UInt8(ascii: "[") || pending[1] == UInt8(ascii: "O")
        guard introduced else { return .key(Self.sequences[body]) }
        guard pending.count > 2, let last = pending.last else { return .incomplete }
        let isFinal = (0x40...0x7E).contains(last)
        return isFinal || pending.count > 16 ? .key(Self.sequences[body]) : .incomplete
    }

    private func decodeText(_ first: UInt8) -> Decoded {
        let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        guard pending.count >= length else { return .incomplete }
        return .key(String(decoding: pending, as: UTF8.self).first.map { .text($0) })
    }
}
