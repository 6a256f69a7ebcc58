// Dot products with 4-bit weights that index sixteen values without a uniform step. The x86 baseline has no byte table
// lookup, and computing a value takes ten operations. So both values of a byte are looked up at once, in a table of all
// 256 bytes that each call builds once.

/// The values of both indices in a byte, for every byte: two signed words, the lower index's value first.
typealias ValuePairs = UnsafePointer<UInt32>

/// Memory for one pair per byte.
typealias PairMemory = (SIMD64<UInt32>, SIMD64<UInt32>, SIMD64<UInt32>, SIMD64<UInt32>)

/// Zeros in such memory, which a kernel fills through its address.
@inline(__always)
var pairMemory: PairMemory {
    let zero = SIMD64<UInt32>()
    return (zero, zero, zero, zero)
}

/// Builds the pairs from the sixteen values, in the caller's memory.
@inline(__always)
func valuePairs(of values: SIMD16<Int16>, in memory: UnsafeMutablePointer<PairMemory>) -> ValuePairs {
    let pairs = UnsafeMutableRawPointer(memory).assumingMemoryBound(to: UInt32.self)
    for byte in 0..<256 {
        let (low, high) = (UInt16(bitPattern: values[byte & 15]), UInt16(bitPattern: values[byte >> 4]))
        pairs[byte] = UInt32(low) | UInt32(high) << 16
    }
    return ValuePairs(pairs)
}

/// The dot product of 32 values with 32 signed bytes, in four sums; byte i of 16 holds the indices of elements i and i
/// + 16.
@inline(__always)
func dot(_ indices: UnsafePointer<UInt8>, _ pairs: ValuePairs, _ x: UnsafeRawPointer) -> SIMD4<Int32> {
    let x = pairedWords(x)
    let low = sums(values(indices, pairs), times: x.0) &+ sums(values(indices + 1, pairs), times: x.1)
    let high = sums(values(indices + 2, pairs), times: x.2) &+ sums(values(indices + 3, pairs), times: x.3)
    return low &+ high
}

/// The same, multiplied by a scale from −32 to 31, with which the activations still fit a word.
@inline(__always)
func dot(
    _ indices: UnsafePointer<UInt8>, _ pairs: ValuePairs, _ x: UnsafeRawPointer, times scale: Int16
) -> SIMD4<Int32> {
    let x = pairedWords(x)
    let low =
        sums(values(indices, pairs), times: x.0 &* scale) &+ sums(values(indices + 1, pairs), times: x.1 &* scale)
    let high =
        sums(values(indices + 2, pairs), times: x.2 &* scale) &+ sums(values(indices + 3, pairs), times: x.3 &* scale)
    return low &+ high
}

/// Looks up the eight values of every fourth of sixteen bytes.
@inline(__always)
private func values(_ indices: UnsafePointer<UInt8>, _ pairs: ValuePairs) -> Words {
    let four = SIMD4(
        pairs[Int(indices[0])], pairs[Int(indices[4])], pairs[Int(indices[8])], pairs[Int(indices[12])])
    return unsafeBitCast(four, to: Words.self)
}

/// 32 signed bytes as words, in the order of the values: the first vector holds every fourth byte from the first on,
/// each followed by its counterpart from the second half; the next vector every fourth byte from the second on, and so
/// on.
///
/// Uses shifts and masks, of which a CPU executes more per cycle than shuffles.
@inline(__always)
private func pairedWords(_ bytes: UnsafeRawPointer) -> (Words, Words, Words, Words) {
    let first = bytes.loadUnaligned(as: SIMD4<UInt32>.self)
    let second = bytes.loadUnaligned(fromByteOffset: 16, as: SIMD4<UInt32>.self)
    let low = unsafeBitCast(first & 0xFFFF | second &<< 16, to: Words.self)
    let high = unsafeBitCast(first &>> 16 | second & 0xFFFF_0000, to: Words.self)
    return ((low &<< 8) &>> 8, low &>> 8, (high &<< 8) &>> 8, high &>> 8)
}
