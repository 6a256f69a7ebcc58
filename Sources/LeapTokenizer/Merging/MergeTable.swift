/// The merge rules of a byte-pair vocabulary: pairs of tokens, with the rule's place in the list as its rank.
///
/// An open-addressing hash table at most half full; 32 to 64 bytes a rule.
struct MergeTable: MergeRules, Sendable {
    private struct Slot {
        var left: Token = -1
        var right: Token = -1
        var merge = Merge(rank: 0, token: -1)
    }

    private var slots: [Slot]

    /// A table with room for `count` rules.
    init(capacity count: Int) {
        var capacity = 16
        while capacity < 2 * count { capacity *= 2 }
        slots = Array(repeating: Slot(), count: capacity)
    }

    /// Adds the rule that `left` and `right` become `token`. Of two rules for a pair the first counts.
    mutating func insert(_ left: Token, _ right: Token, _ merge: Merge) {
        let index = position(left, right)
        if slots[index].left < 0 { slots[index] = Slot(left: left, right: right, merge: merge) }
    }

    @inline(__always)
    func merge(_ left: Symbol, _ right: Symbol, end: Int) -> Merge? {
        guard left.token >= 0, right.token >= 0 else { return nil }
        let slot = slots[position(left.token, right.token)]
        return slot.left >= 0 ? slot.merge : nil
    }

    /// The slot of the pair, or the free one where it would go.
    @inline(__always)
    private func position(_ left: Token, _ right: Token) -> Int {
        let mask = slots.count - 1
        let pair = UInt64(UInt32(bitPattern: left)) << 32 | UInt64(UInt32(bitPattern: right))
        // Fibonacci hashing: the high half of a product with 2⁶⁴ / φ depends on every bit of the pair.
        var index = Int((pair &* 0x9E37_79B9_7F4A_7C15) >> 32) & mask
        while slots[index].left >= 0, slots[index].left != left || slots[index].right != right {
            index = (index + 1) & mask
        }
        return index
    }
}
