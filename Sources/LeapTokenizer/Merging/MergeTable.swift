/// The merge rules of a byte-pair vocabulary: pairs of tokens, with the rule's place in the list as its rank.
///
/// An open-addressing hash table, three quarters full at most; 21 to 43 bytes a rule.
struct MergeTable: MergeRules, Sendable {
    private struct Slot {
        var left: Token = -1
        var right: Token = -1
        var merge = Merge(rank: 0, token: -1)
    }

    private var slots: [Slot]
    /// 64 less the bits of a slot's number.
    private let shift: Int
    /// Random and odd, so that no file can be made whose rules all fall into one slot.
    private let multiplier = UInt64.random(in: 0...UInt64.max) | 1

    /// A table with room for `count` rules.
    init(capacity count: Int) {
        var capacity = 16
        while capacity / 4 * 3 < count { capacity *= 2 }
        slots = Array(repeating: Slot(), count: capacity)
        shift = capacity.leadingZeroBitCount + 1
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

    /// The slot of the pair or, if it is not in the table, the free slot for it.
    @inline(__always)
    private func position(_ left: Token, _ right: Token) -> Int {
        let mask = slots.count - 1
        let pair = UInt64(UInt32(bitPattern: left)) << 32 | UInt64(UInt32(bitPattern: right))
        // Multiply-shift hashing: the high bits of the product depend on every bit of the pair.
        var index = Int(truncatingIfNeeded: (pair &* multiplier) >> UInt64(shift))
        while slots[index].left >= 0, slots[index].left != left || slots[index].right != right {
            index = (index + 1) & mask
        }
        return index
    }
}
