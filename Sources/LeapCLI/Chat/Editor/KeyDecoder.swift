import LeapTokenizer

/// Decodes a terminal's bytes into keys. The keys do not depend on how the bytes are split, except for texts:
/// characters that arrive together are one key.
///
/// Source: ECMA-48, section 5.4 (control sequences), and the sequences that xterm documents for keys and for pastes.
struct KeyDecoder {
    private enum State {
        case ground
        /// After an escape character.
        case escape
        /// After `ESC [`.
        case sequence
        /// After `ESC O`, which keypads and older terminals send instead.
        case function
        /// After `ESC [ [`, which introduces unused keys on the Linux console; one byte follows.
        case ignored
        /// Between the brackets around a paste.
        case paste
    }

    private var state = State.ground
    /// The bytes of a text or a paste.
    private var text: [UInt8] = []
    private var parameters: [UInt8] = []
    private var keys: [Key] = []

    /// Whether the last byte may be the Escape key, or the start of a sequence.
    var isEscaping: Bool {
        switch state {
        case .escape, .sequence, .function, .ignored: true
        case .ground, .paste: false
        }
    }

    /// Whether the input is inside a bracketed paste.
    var isPasting: Bool { state == .paste }

    /// Consumes bytes; returns the keys that they complete.
    mutating func append(_ bytes: some Sequence<UInt8>) -> [Key] {
        for byte in bytes { take(byte) }
        if state != .paste { finishText(keeping: UTF8Sequence.incompleteSuffix(of: text)) }
        return takeKeys()
    }

    /// Called when nothing follows: an escape character was the key itself, and any other incomplete sequence is
    /// dropped.
    mutating func endEscape() -> [Key] {
        if state == .escape { keys.append(.escape) }
        if isEscaping { state = .ground }
        return takeKeys()
    }

    private mutating func takeKeys() -> [Key] {
        defer { keys = [] }
        return keys
    }

    private mutating func take(_ byte: UInt8) {
        switch state {
        case .ground: takeInGround(byte)
        case .escape: takeAfterEscape(byte)
        case .sequence, .function: takeInSequence(byte)
        case .ignored: state = .ground
        case .paste: takeInPaste(byte)
        }
    }
}

// MARK: - Text and control characters

extension KeyDecoder {
    private static let escape: UInt8 = 0x1B

    private static let controls: [UInt8: Key] = [
        0x01: .home, 0x02: .left, 0x03: .interrupt, 0x04: .endOfInput, 0x05: .end, 0x06: .right, 0x07: .escape,
        0x08: .backspace, 0x0A: .newline, 0x0B: .killToEnd, 0x0C: .clearScreen, 0x0D: .enter, 0x0E: .down,
        0x10: .up, 0x12: .search, 0x14: .transpose, 0x15: .killToStart, 0x17: .killWord, 0x19: .yank,
        0x1A: .suspend, 0x7F: .backspace,
    ]

    private mutating func takeInGround(_ byte: UInt8) {
        guard byte < 0x20 && byte != UInt8(ascii: "\t") || byte == 0x7F else { return text.append(byte) }
        finishText()
        if byte == Self.escape {
            state = .escape
        } else if let key = Self.controls[byte] {
            keys.append(key)
        }
    }

    /// Makes a key of the text, without its last bytes. Invalid bytes become U+FFFD.
    private mutating func finishText(keeping count: Int = 0) {
        guard text.count > count else { return }
        keys.append(.text(String(decoding: text.dropLast(count), as: UTF8.self)))
        text.removeFirst(text.count - count)
    }
}

// MARK: - Escape sequences

extension KeyDecoder {
    /// Keys that are pressed together with Alt.
    private static let alternates: [UInt8: Key] = [
        UInt8(ascii: "b"): .wordLeft, UInt8(ascii: "f"): .wordRight, UInt8(ascii: "d"): .killWordRight,
        0x08: .killWordLeft, 0x7F: .killWordLeft, 0x0A: .newline, 0x0D: .newline,
    ]

    private mutating func takeAfterEscape(_ byte: UInt8) {
        state = .ground
        parameters = []
        if let key = Self.alternates[byte] { return keys.append(key) }
        switch byte {
        case UInt8(ascii: "["): state = .sequence
        case UInt8(ascii: "O"): state = .function
        case 0x20...0x7E: break  // Alt and a key that is not used
        default:
            keys.append(.escape)
            takeInGround(byte)
        }
    }

    private mutating func takeInSequence(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "[") where state == .sequence && parameters.isEmpty: state = .ignored
        case 0x20...0x3F: if parameters.count < ControlSequence.parameterLimit { parameters.append(byte) }
        default: finishSequence(byte)
        }
    }

    /// Consumes the final byte of a sequence. An invalid one was pressed by itself, and the sequence is dropped.
    private mutating func finishSequence(_ byte: UInt8) {
        state = .ground
        guard (0x40...0x7E).contains(byte) else { return takeInGround(byte) }
        switch ControlSequence(parameters: parameters, final: byte).meaning {
        case .key(let key): keys.append(key)
        case .pasteBegins: state = .paste
        case nil: break
        }
    }

    private static let pasteEnd = Array("\u{1B}[201~".utf8)

    private mutating func takeInPaste(_ byte: UInt8) {
        text.append(byte)
        guard byte == Self.pasteEnd.last, text.suffix(Self.pasteEnd.count).elementsEqual(Self.pasteEnd) else { return }
        keys.append(.paste(String(decoding: text.dropLast(Self.pasteEnd.count), as: UTF8.self)))
        text = []
        state = .ground
    }
}
