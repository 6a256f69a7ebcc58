/// The spelling of bytes in byte-level vocabularies: every byte is one visible character.
///
/// The bytes `!` … `~`, `¡` … `¬` and `®` … `ÿ` stand for themselves as Latin-1 characters; the other 68, in
/// ascending order, are U+0100, U+0101, …: a space is `Ġ` (U+0120), a line feed `Ċ` (U+010A).
///
/// Source: openai/gpt-2, `encoder.py`, `bytes_to_unicode`.
enum ByteLevel {
    /// The character of each byte.
    static let scalars: [UInt16] = {
        var next: UInt16 = 0x100
        return (UInt16(0)...0xFF).map { byte in
            if isVisible(byte) { return byte }
            defer { next += 1 }
            return next
        }
    }()

    /// The byte of each character below U+0144; -1 if it has none.
    private static let bytes: [Int16] = {
        var bytes = [Int16](repeating: -1, count: 0x144)
        for (byte, scalar) in scalars.enumerated() { bytes[Int(scalar)] = Int16(byte) }
        return bytes
    }()

    private static func isVisible(_ byte: UInt16) -> Bool {
        (0x21...0x7E).contains(byte) || (0xA1...0xAC).contains(byte) || (0xAE...0xFF).contains(byte)
    }

    /// Appends the spelling of `bytes`, in UTF-8: one or two bytes each.
    static func appendSpelling(of bytes: ArraySlice<UInt8>, to spelling: inout [UInt8]) {
        for byte in bytes {
            let scalar = scalars[Int(byte)]
            if scalar < 0x80 {
                spelling.append(UInt8(scalar))
            } else {
                spelling.append(UInt8(0xC0 | scalar >> 6))
                spelling.append(UInt8(0x80 | scalar & 0x3F))
            }
        }
    }

    /// The bytes that `text` spells, or `nil` if a character in it spells none.
    static func bytes(spelledBy text: ArraySlice<UInt8>) -> [UInt8]? {
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
            guard scalar.value < UInt32(bytes.count), bytes[Int(scalar.value)] >= 0 else { return nil }
            result.append(UInt8(bytes[Int(scalar.value)]))
        }
        return result
    }
}
