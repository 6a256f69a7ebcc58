#if arch(x86_64)

/// What a group of numbers becomes multiples of, a power of two: the largest of them then has so many bits. Not a number if
/// one of them is none, or infinite.
///
/// - Parameter largest: The bits of the largest magnitude.
@inline(__always)
func wordStep(largest: Int32, bits: Int32) -> Float {
    let exponent = largest >> 23
    guard exponent < 0xFF else { return .nan }
    // The smallest step is the smallest normal number, whose inverse is finite.
    return Float(bitPattern: UInt32(truncatingIfNeeded: max(exponent &- bits &+ 1, 1)) &<< 23)
}
#endif
