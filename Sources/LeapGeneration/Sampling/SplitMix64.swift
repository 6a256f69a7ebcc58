/// A fast random number generator whose sequence a seed decides, the same on every platform.
///
/// A counter in steps of the golden ratio, and a mixing function.
/// Source: Steele, Lea and Flood 2014, "Fast splittable pseudorandom number generators", figure 17.
public struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Starts the sequence of a seed.
    public init(seed: UInt64) { state = seed }

    /// The next 64 bits.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// A number in [0, 1): the upper 53 bits, as many as a `Double` holds exactly.
    mutating func nextUnit() -> Double {
        Double(next() >> 11) * 0x1p-53
    }
}
