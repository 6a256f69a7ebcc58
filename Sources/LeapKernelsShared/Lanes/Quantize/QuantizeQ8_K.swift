#if PORTABLE || X86_64 && arch(x86_64) || ARM64 && arch(arm64)
internal import LeapBlocks

/// Quantises a row to `Q8_K`: q[i] = x[i] · 127 / max |x| to the nearest integer, ties to even; d = 1 / (127 / max |x|).
///
/// A block of zeros has d = 0. bsums[g] is the sum of quants 16g ..< 16g + 16.
func quantizeQ8_K(_ source: UnsafePointer<Float>, _ destination: UnsafeMutableRawPointer, _ blocks: Int) {
    for i in 0..<blocks {
        let block = destination + i * BlockQ8_K.byteCount
        let values = source + i * BlockQ8_K.elementCount
        let largest = largestMagnitude(values, BlockQ8_K.elementCount)
        let inverse = largest == 0 ? 0 : 127 / largest
        let d = largest == 0 ? 0 : 1 / inverse
        block.storeBytes(of: d, toByteOffset: BlockQ8_K.d, as: Float.self)
        for group in 0..<16 {
            let quants = block + BlockQ8_K.qs + 16 * group
            let sum = quantize16(values + 16 * group, inverse, quants.assumingMemoryBound(to: Int8.self))
            block.storeBytes(of: sum, toByteOffset: BlockQ8_K.bsums + 2 * group, as: Int16.self)
        }
    }
}

/// Quantises one group of 16 floats; returns the sum of the quants.
@inline(__always)
private func quantize16(
    _ source: UnsafePointer<Float>, _ inverse: Float, _ quants: UnsafeMutablePointer<Int8>
) -> Int16 {
    var sum: Int32 = 0
    for i in 0..<16 {
        // Adding 1.5 · 2²³ leaves no fraction bits: the low byte of the sum's bit pattern is the integer.
        let quant = Int8(truncatingIfNeeded: (source[i] * inverse + 0x1.8p23).bitPattern)
        quants[i] = quant
        sum &+= Int32(quant)
    }
    return Int16(truncatingIfNeeded: sum)
}
#endif
