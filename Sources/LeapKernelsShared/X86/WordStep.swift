#if arch(x86_64)

/// The step whose integer multiples represent the numbers of a group: a power of two, chosen such that the largest
/// number uses all available bits. NaN if one of the numbers is NaN or infinite.
///
/// - Parameter largest: The bit pattern of the largest magnitude.
@inline(__always)
func wordStep(largest: Int32, bits: Int32) -> Float {
    let exponent = largest >> 23
    guard exponent < 0xFF else { return .nan }
    // The smallest step is the smallest normal number, whose inverse is finite.
    return Float(bitPattern: UInt32(truncatingIfNeeded: max(exponent &- bits &+ 1, 1)) &<< 23)
}
#endif
