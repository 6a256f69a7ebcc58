/// The generator MT19937, by which llama.cpp's tools choose tasks, so that the same are chosen here.
///
/// Source: Matsumoto and Nishimura 1998, "Mersenne Twister".
package struct MersenneTwister: Sendable {
    private var state: [UInt32]
    private var index = Self.size

    private static let size = 624
    private static let shift = 397

    package init(seed: UInt32) {
        state = [seed]
        for i in 1..<Self.size {
            let last = state[i - 1]
            state.append(1_812_433_253 &* (last ^ last >> 30) &+ UInt32(i))
        }
    }

    /// 32 random bits.
    package mutating func next() -> UInt32 {
        if index == Self.size { twist() }
        var word = state[index]
        index += 1
        word ^= word >> 11
        word ^= word << 7 & 0x9D2C_5680
        word ^= word << 15 & 0xEFC6_0000
        return word ^ word >> 18
    }

    private mutating func twist() {
        for i in 0..<Self.size {
            let word = state[i] & 0x8000_0000 | state[(i + 1) % Self.size] & 0x7FFF_FFFF
            let mixed = word >> 1 ^ (word & 1 == 0 ? 0 : 0x9908_B0DF)
            state[i] = state[(i + Self.shift) % Self.size] ^ mixed
        }
        index = 0
    }

    /// A number below a bound, all equally likely, by the method of C++'s libstdc++.
    ///
    /// Source: Lemire 2019, "Fast Random Integer Generation in an Interval".
    package mutating func next(below bound: UInt32) -> UInt32 {
        var product = UInt64(next()) * UInt64(bound)
        if UInt32(truncatingIfNeeded: product) < bound {
            let threshold = (0 &- bound) % bound
            while UInt32(truncatingIfNeeded: product) < threshold { product = UInt64(next()) * UInt64(bound) }
        }
        return UInt32(product >> 32)
    }
}
