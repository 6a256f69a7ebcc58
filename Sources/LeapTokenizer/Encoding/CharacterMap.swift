/// SentencePiece's normalisation table, a file's `precompiled_charsmap`: replaces sequences of characters before the text is
/// segmented.
///
/// It is a double array, whose units say which byte leads to which unit, and texts that end with a zero byte. All numbers are
/// little-endian: the bytes of the units, the units, and the texts.
///
///     base ← base(unit[base ^ byte]), as long as that unit's label is the byte
///
/// Source: Yata, Morita, Fuketa and Aoe 2009, "Darts-clone", which SentencePiece's normalizer uses; sentencepiece,
/// `normalizer.cc`, "precompiled_charsmap".
struct CharacterMap: Sendable {
    private let units: [UInt32]
    private let texts: [UInt8]

    /// The size limit of a map in bytes: many times that of full Unicode normalisation with case folding.
    static let limit = 16 << 20

    /// The most bytes of a replacement and of the sequence it replaces; in full Unicode normalisation the longest has
    /// 33. Without this limit, a damaged map could loop, or replace every character by all of its texts.
    private static let longest = 1024

    /// Parses a map; empty input is the identity map.
    init(_ bytes: [UInt8]) throws(TokenizerError) {
        guard !bytes.isEmpty else {
            (units, texts) = ([], [])
            return
        }
        guard bytes.count <= Self.limit else {
            throw .malformedCharacterMap(bytes: bytes.count, reason: "the limit is \(Self.limit)")
        }
        guard bytes.count >= 8 else {
            throw .malformedCharacterMap(
                bytes: bytes.count, reason: "expected at least 8, of which the first 4 hold the size of its tree")
        }
        let size = Int(Self.word(bytes, at: 0))
        guard size.isMultiple(of: 4), size >= 4, size <= bytes.count - 4 else {
            throw .malformedCharacterMap(
                bytes: bytes.count,
                reason:
                    "its header gives a tree of \(size) bytes; expected a multiple of 4 from 4 to \(bytes.count - 4)")
        }
        units = stride(from: 4, to: 4 + size, by: 4).map { Self.word(bytes, at: $0) }
        texts = Array(bytes[(4 + size)...])
    }

    private static func word(_ bytes: [UInt8], at index: Int) -> UInt32 {
        (0..<4).reduce(0) { $0 | UInt32(bytes[index + $1]) << UInt32(8 * $1) }
    }

    /// The longest stretch from `start` on that is replaced: its length, and the bytes of its replacement.
    func replacement(
        in text: [UInt8], from start: Int, upTo end: Int
    ) -> (length: Int, text: ArraySlice<UInt8>)? {
        guard var base = units.first.map(Self.offset) else { return nil }
        var found: (length: Int, value: Int)?
        var position = start
        let end = min(end, start + Self.longest)
        while position < end {
            base ^= Int(text[position])
            guard base < units.count, Self.label(units[base]) == UInt32(text[position]) else { break }
            let unit = units[base]
            position += 1
            base ^= Self.offset(unit)
            if Self.hasValue(unit), base < units.count { found = (position - start, Int(units[base] & 0x7FFF_FFFF)) }
        }
        return found.map { ($0.length, self.text(at: $0.value)) }
    }

    /// The text that begins at a place; empty if a damaged map points outside of the texts.
    private func text(at start: Int) -> ArraySlice<UInt8> {
        guard start < texts.count else { return [] }
        return texts[start...].prefix(Self.longest).prefix { $0 != 0 }
    }

    private static func hasValue(_ unit: UInt32) -> Bool { unit >> 8 & 1 == 1 }
    /// The byte that leads to a unit; more than a byte if the unit is a value.
    private static func label(_ unit: UInt32) -> UInt32 { unit & (1 << 31 | 0xFF) }
    private static func offset(_ unit: UInt32) -> Int { Int(unit >> 10) << Int((unit & 1 << 9) >> 6) }
}
