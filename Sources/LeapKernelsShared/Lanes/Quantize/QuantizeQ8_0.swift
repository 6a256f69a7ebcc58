#if PORTABLE || X86_64 && arch(x86_64) || ARM64 && arch(arm64)
internal import LeapBlocks

/// Quantises a row to `Q8_0`: d = max |x| / 127, q[i] = x[i] / d to the nearest integer, halves away from zero.
///
/// The quotient uses 1 / d in single precision; d is stored in half precision. A block of zeros has d = 0.
func quantizeQ8_0(_ source: UnsafePointer<Float>, _ destination: UnsafeMutableRawPointer, _ blocks: Int) {
    for i in 0..<blocks {
        let block = destination + i * BlockQ8_0.byteCount
        let (d, _) = quantize32(source + i * BlockQ8_0.elementCount, block + BlockQ8_0.qs)
        storeHalf(d, to: block + BlockQ8_0.d)
    }
}

/// Quantises 32 floats to signed bytes; returns d and the sum of the quants.
@inline(__always)
func quantize32(_ source: UnsafePointer<Float>, _ quants: UnsafeMutableRawPointer) -> (d: Float, sum: Int32) {
    let d = largestMagnitude(source, 32) / 127
    let quants = quants.assumingMemoryBound(to: Int8.self)
    // All zeros, magnitudes that half precision rounds to zero, or values that are not finite, for which d is NaN:
    // there is nothing to round. Above this bound, 1 / d is finite.
    guard d >= 0x1p-126 else {
        for i in 0..<32 { quants[i] = 0 }
        return (d, 0)
    }
    let inverse = 1 / d
    var sum: Int32 = 0
    for i in 0..<32 {
        let quant = roundedHalfAway(source[i] * inverse)
        quants[i] = Int8(truncatingIfNeeded: quant)
        sum &+= quant
    }
    return (d, sum)
}

/// The maximum of |x[i]| over a multiple of 16 elements; NaN if one of them is not finite.
///
/// A NaN scale propagates through all products to the logits, where it is detected. Quants alone would hide the fault.
@inline(__always)
func largestMagnitude(_ source: UnsafePointer<Float>, _ count: Int) -> Float {
    var (largest, zeros) = (Lanes(repeating: 0), Lanes(repeating: 0))
    for i in stride(from: 0, to: count, by: Lanes.scalarCount) {
        let lanes = load(source + i)
        let magnitude = unsafeBitCast(lanes, to: LaneBits.self) & LaneBits(repeating: 0x7FFF_FFFF)
        largest = maximum(unsafeBitCast(magnitude, to: Lanes.self), largest)
        // 0, or NaN for lanes that are not finite.
        zeros = zeros + (lanes - lanes)
    }
    return horizontalMaximum(largest) + horizontalSum(zeros)
}

/// The nearest integer, halves away from zero, of a number whose magnitude is below 2²².
///
/// The number added before truncation is the largest float below one half: adding one half itself would round the float
/// just below 0.5 up to 1.
@inline(__always)
private func roundedHalfAway(_ x: Float) -> Int32 {
    let signedHalf = Float(bitPattern: x.bitPattern & 0x8000_0000 | 0x3EFF_FFFF)
    return Int32(x + signedHalf)
}

/// Writes a number in half precision at any address.
@inline(__always)
func storeHalf(_ value: Float, to destination: UnsafeMutableRawPointer) {
    destination.storeBytes(of: value.halfBits.littleEndian, as: UInt16.self)
}
#endif
