/// Sets of small integers as 64-bit words.
enum Bits {
    static func empty(count: Int) -> [UInt64] { Array(repeating: 0, count: (count + 63) / 64) }

    @inline(__always)
    static func contains(_ words: [UInt64], _ index: Int) -> Bool {
        words[index >> 6] >> UInt64(index & 63) & 1 != 0
    }

    @inline(__always)
    static func insert(_ index: Int, _ words: inout [UInt64]) {
        words[index >> 6] |= 1 << UInt64(index & 63)
    }

    @inline(__always)
    static func remove(_ index: Int, _ words: inout [UInt64]) {
        words[index >> 6] &= ~(1 << UInt64(index & 63))
    }
}

extension Bits {
    /// The set of the indices that hold `true`.
    static func make(_ flags: [Bool]) -> [UInt64] {
        var words = empty(count: flags.count)
        for index in flags.indices where flags[index] { insert(index, &words) }
        return words
    }
}
