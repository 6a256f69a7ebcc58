/// Finds a token by its text: an open-addressing hash table over a `TokenTexts`.
///
/// It stores no text itself. A slot is the id and 32 bits of the hash, so that nearly every miss is decided
/// without looking at a text. At most half of the slots are taken; memory is 16 to 32 bytes a token.
struct TextIndex: Sendable {
    private struct Slot {
        var hash: UInt32 = 0
        var token: Token = -1
    }

    private var slots: [Slot]
    /// Random, so that no file can be made whose texts all fall into one slot.
    private let seed = UInt64.random(in: 0...UInt64.max)

    /// Builds the index. Of tokens with the same text the last one counts.
    init(_ texts: TokenTexts) {
        var capacity = 16
        while capacity < 2 * texts.count { capacity *= 2 }
        slots = Array(repeating: Slot(), count: capacity)
        for index in 0..<texts.count { insert(Token(truncatingIfNeeded: index), texts) }
    }

    /// The tokens with the text of an earlier one: their number, and the first of them after the one that it repeats.
    private(set) var duplicates: (count: Int, first: Token, second: Token)?

    private mutating func insert(_ token: Token, _ texts: TokenTexts) {
        let range = texts.range(Int(token))
        let hash = self.hash(texts.bytes, range)
        let slot = position(of: texts.bytes, range, hash: hash, in: texts)
        if slots[slot].token >= 0 {
            let known = duplicates ?? (0, slots[slot].token, token)
            duplicates = (known.count + 1, known.first, known.second)
        }
        slots[slot] = Slot(hash: hash, token: token)
    }

    /// The token whose text is `text[range]`.
    @inline(__always)
    func token(for text: [UInt8], in range: Range<Int>, of texts: TokenTexts) -> Token? {
        let found = slots[position(of: text, range, hash: hash(text, range), in: texts)].token
        return found >= 0 ? found : nil
    }

    /// The slot with the text or, if it is not in the table, the free slot for it.
    @inline(__always)
    private func position(of text: [UInt8], _ range: Range<Int>, hash: UInt32, in texts: TokenTexts) -> Int {
        let mask = slots.count - 1
        var slot = Int(hash) & mask
        while slots[slot].token >= 0 {
            if slots[slot].hash == hash, Self.isEqual(text, range, texts.bytes, texts.range(Int(slots[slot].token))) {
                return slot
            }
            slot = (slot + 1) & mask
        }
        return slot
    }

    @inline(__always)
    private static func isEqual(_ a: [UInt8], _ aRange: Range<Int>, _ b: [UInt8], _ bRange: Range<Int>) -> Bool {
        guard aRange.count == bRange.count else { return false }
        var index = 0
        while index < aRange.count {
            if a[aRange.lowerBound + index] != b[bRange.lowerBound + index] { return false }
            index += 1
        }
        return true
    }

    /// FNV-1a over the bytes, started with the seed, then a finaliser: every bit affects the low ones, which choose the slot.
    @inline(__always)
    private func hash(_ bytes: [UInt8], _ range: Range<Int>) -> UInt32 {
        var hash = seed
        for index in range { hash = (hash ^ UInt64(bytes[index])) &* 0x100_0000_01B3 }
        hash ^= hash >> 32
        hash = hash &* 0xD6E8_FEB8_6659_FD93
        return UInt32(truncatingIfNeeded: hash >> 32)
    }
}
