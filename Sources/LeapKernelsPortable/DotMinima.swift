internal import LeapBlocks

/// Σ minimum[g] · Σ q′ over 8 groups of 32 elements, from the activations' sums over 16; minima are bytes, the first
/// one lowest.
@inline(__always)
func dotMinima(_ minima: UInt64, _ activation: UnsafeRawPointer) -> Int32 {
    let sums = (activation + BlockQ8_K.bsums).assumingMemoryBound(to: Int16.self)
    var sum: Int32 = 0
    for group in 0..<8 {
        sum &+= Int32(byte(group, of: minima)) &* (Int32(sums[2 * group]) &+ Int32(sums[2 * group + 1]))
    }
    return sum
}

/// Σ factor[g] · Σ q′ over 16 groups of 16 elements, in four sums.
@inline(__always)
func dotSums(_ factors: SIMD16<Int8>, _ activation: UnsafeRawPointer) -> SIMD4<Int32> {
    let (first, second) = inOrder(factors)
    let sums16 = activation + BlockQ8_K.bsums
    return sums(first, times: words(sums16)) &+ sums(second, times: words(sums16 + 16))
}

/// A float from any address.
@inline(__always)
func floatAt(_ source: UnsafeRawPointer) -> Float { source.loadUnaligned(as: Float.self) }

/// The signed bytes of 16 activations from element `index` on.
@inline(__always)
func activations(_ block: UnsafeRawPointer, _ index: Int) -> SplitBytes {
    signedBytes(words(block + BlockQ8_K.qs + index))
}
