// Integer arithmetic on the bytes of blocks, using operations that every CPU's baseline has for 16-bit lanes.
//
// Bytes are not widened in order, which would need shuffles, but split: those at even positions into one vector and
// those at odd positions into another. A dot product is unaffected as long as both operands are split the same way.
//
// Vectors are written with their element type (`SIMD16<Int8>(repeating: 0)`): where a comparison has to infer it,
// overload resolution picks the generic function, which compares lane by lane.

private import Builtin

/// Eight 16-bit integers.
typealias Words = SIMD8<Int16>

/// Sixteen bytes, widened: those at even and those at odd positions.
typealias SplitBytes = (even: Words, odd: Words)

/// Sixteen bytes from any address, two to a word.
@inline(__always)
func words(_ source: UnsafeRawPointer) -> Words { source.loadUnaligned(as: Words.self) }

/// Sixteen signed bytes.
@inline(__always)
func signedBytes(_ words: Words) -> SplitBytes { ((words &<< 8) &>> 8, words &>> 8) }

/// Sixteen bytes below 128.
@inline(__always)
func split(_ words: Words) -> SplitBytes { (words & 0xFF, words &>> 8) }

/// Extracts the bits from bit `shift` on of each of sixteen bytes, as many as `mask` keeps; `mask` is at most 127.
@inline(__always)
func bits(_ words: Words, _ shift: Int, _ mask: Int16) -> Words {
    // Bits shifted in from the neighbouring byte are above the mask.
    (words &>> Int16(truncatingIfNeeded: shift)) & (mask &* 0x0101)
}

/// Combines upper bits of bytes with lower ones.
@inline(__always)
func join(_ low: Words, _ high: Words, shift: Int16) -> Words { low | high &<< shift }

/// The dot product of 16 numbers with 16 others, as eight sums of two products.
///
/// Two products of a weight's quant (at most 128) and an activation's (at most 127) fit in 16 bits; with 5-bit quants,
/// four such vectors of sums can be added before they overflow.
@inline(__always)
func dot(_ a: SplitBytes, _ b: SplitBytes) -> Words { a.even &* b.even &+ a.odd &* b.odd }

/// Adds neighbours: four sums in 32 bits.
@inline(__always)
func sums(_ words: Words) -> SIMD4<Int32> {
    let pairs = unsafeBitCast(words, to: SIMD4<Int32>.self)
    return ((pairs &<< 16) &>> 16) &+ (pairs &>> 16)
}

/// Multiplies by a group's scale and adds neighbours: four sums in 32 bits.
@inline(__always)
func sums(_ words: Words, times scale: Int16) -> SIMD4<Int32> {
    sums(words, times: Words(repeating: scale))
}

/// Multiplies and adds neighbours: four sums of two products.
@inline(__always)
func sums(_ a: Words, times b: Words) -> SIMD4<Int32> {
    // Written to match a single instruction of every CPU's baseline.
    let products = widened(a) &* widened(b)
    return products.evenHalf &+ products.oddHalf
}

/// Sixteen signed bytes in order.
@inline(__always)
func inOrder(_ bytes: SIMD16<Int8>) -> (first: Words, second: Words) {
    func widened(_ bytes: SIMD8<Int8>) -> Words {
        var words = Words()
        words._storage._value = Builtin.sext_Vec8xInt8_Vec8xInt16(bytes._storage._value)
        return words
    }
    return (widened(bytes.lowHalf), widened(bytes.highHalf))
}

// The standard library's conversions are generic functions, which are not inlined here.

@inline(__always)
private func widened(_ words: Words) -> SIMD8<Int32> {
    var wide = SIMD8<Int32>()
    wide._storage._value = Builtin.sext_Vec8xInt16_Vec8xInt32(words._storage._value)
    return wide
}

/// Subtracts a number from all lanes.
@inline(__always)
func - (bytes: SplitBytes, number: Int16) -> SplitBytes { (bytes.even &- number, bytes.odd &- number) }

/// Bit i of 16 as the fifth bit of element i.
@inline(__always)
func fifthBits(_ bits: UInt32) -> SplitBytes {
    // Each lane keeps its own bit; the others are cleared.
    let all = Words(repeating: Int16(truncatingIfNeeded: bits))
    return (
        sixteens(all, Words(1 << 0, 1 << 2, 1 << 4, 1 << 6, 1 << 8, 1 << 10, 1 << 12, 1 << 14)),
        sixteens(all, Words(1 << 1, 1 << 3, 1 << 5, 1 << 7, 1 << 9, 1 << 11, 1 << 13, -1 << 15))
    )
}

/// 16 where a lane's bit is set.
@inline(__always)
private func sixteens(_ lanes: Words, _ bits: Words) -> Words {
    unsafeBitCast(lanes & bits .== bits, to: Words.self) & 16
}

@inline(__always)
func | (a: SplitBytes, b: SplitBytes) -> SplitBytes { (a.even | b.even, a.odd | b.odd) }
