/// Replaces surrogates without a partner in JSON that arrives byte by byte: `"\ud83d!"` becomes `"\ufffd!"`, as a parser of
/// the whole text would read it. The escape of a high surrogate is held back until its partner could have come.
struct SurrogateEscapes {
    /// An escape that is not complete.
    private var escape: [UInt8] = []
    /// The escape of a high surrogate before it.
    private var high: [UInt8] = []

    /// Takes a byte, and emits the bytes that are certain now.
    mutating func append(_ byte: UInt8, _ emit: (UInt8) -> Void) {
        guard !escape.isEmpty || byte == UInt8(ascii: "\\") else {
            releaseHigh(emit)
            return emit(byte)
        }
        escape.append(byte)
        guard escape.count == (escape.dropFirst().first == UInt8(ascii: "u") ? 6 : 2) else { return }
        take(UInt32(String(decoding: escape.dropFirst(2), as: UTF8.self), radix: 16) ?? 0, emit)
        escape = []
    }

    /// Takes a complete escape: of a UTF-16 unit, or of another character.
    private mutating func take(_ unit: UInt32, _ emit: (UInt8) -> Void) {
        switch unit {
        case 0xD800...0xDBFF:
            releaseHigh(emit)
            high = escape
        case 0xDC00...0xDFFF:
            (high.isEmpty ? Self.replacement : high + escape).forEach(emit)
            high = []
        default:
            releaseHigh(emit)
            escape.forEach(emit)
        }
    }

    private mutating func releaseHigh(_ emit: (UInt8) -> Void) {
        guard !high.isEmpty else { return }
        Self.replacement.forEach(emit)
        high = []
    }

    private static let replacement = Array("\\ufffd".utf8)
}
