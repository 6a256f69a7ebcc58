// Integer arithmetic on the bytes of blocks, in operations that every CPU's baseline has for 16-bit lanes.
//
// Bytes are not widened in order, which needs shuffles, but split: those at even places in one vector and those at odd
// places in another. A dot product does not mind, as long as both operands are split alike.
//
// Vectors are written with their element type (`SIMD16<Int8>(repeating: 0)`): where a comparison has to infer it, the
// generic function is chosen, which compares lane by lane.

/// Eight 16-bit integers.
typealias Words = SIMD8<Int16>

/// Sixteen bytes, widened: those at even and those at odd places.
typealias SplitBytes = (even: Words, odd: Words)

/// Sixteen bytes from any address, two to a word.
@inline(__always)
func words(_ source: UnsafeRawPointer) -> Words { source.loadUnaligned(as: Words.self) }

/// Sixteen signed bytes.
@inline(__always)
func signedBytes(_ words: Words) -> SplitBytes { ((words &<< 8) &>> 8, words &>> 8) }

/// Bits `shift` and up of sixteen bytes, as many as `mask` keeps; `mask` is at most 255 after the shift.
@inline(__always)
func bits(_ words: Words, _ shift: Int, _ mask: Int16) -> SplitBytes {
    let shift = Int16(truncatingIfNeeded: shift)
    return ((words &>> shift) & mask, (words &>> (shift &+ 8)) & mask)
}

/// The dot product of two times sixteen numbers in eight sums of two products.
///
/// Two products of a weight's quant, at most 128, and an activation's, at most 127, fit in 16 bits; with quants of five
/// bits four sums of this kind can be added before they no longer do.
@inline(__always)
func dot(_ a: SplitBytes, _ b: SplitBytes) -> Words { a.even &* b.even &+ a.odd &* b.odd }

/// Adds neighbours: four sums in 32 bits.
@inline(__always)
func sums(_ words: Words) -> SIMD4<Int32> {
    let pairs = unsafeBitCast(words, to: SIMD4<Int32>.self)
    return ((pairs &<< 16) &>> 16) &+ (pairs &>> 16)
}

/// Adds neighbours, which must fit in 16 bits, and multiplies the sums by a group's scale.
@inline(__always)
func sums(_ words: Words, times scale: Int16) -> SIMD4<Int32> {
    // The shifts change nothing but tell the compiler of the 16 bits, for which every CPU can multiply.
    ((sums(words) &<< 16) &>> 16) &* SIMD4<Int32>(repeating: Int32(scale))
}

/// Adds a number to all.
@inline(__always)
func + (bytes: SplitBytes, number: Int16) -> SplitBytes { (bytes.even &+ number, bytes.odd &+ number) }

/// Subtracts a number from all.
@inline(__always)
func - (bytes: SplitBytes, number: Int16) -> SplitBytes { (bytes.even &- number, bytes.odd &- number) }

/// Puts upper bits above lower ones.
@inline(__always)
func join(_ low: SplitBytes, _ high: SplitBytes, shift: Int16) -> SplitBytes {
    (low.even | high.even &<< shift, low.odd | high.odd &<< shift)
}

/// Bit i of 16 for element i, 0 or 1.
@inline(__always)
func bits(_ bits: UInt16) -> SplitBytes {
    // Each lane has its own bit, the others are cleared; a lane is then 0 or not.
    let all = Words(repeating: Int16(bitPattern: bits))
    let even = all & Words(1 << 0, 1 << 2, 1 << 4, 1 << 6, 1 << 8, 1 << 10, 1 << 12, 1 << 14)
    let odd = all & Words(1 << 1, 1 << 3, 1 << 5, 1 << 7, 1 << 9, 1 << 11, 1 << 13, -1 << 15)
    return (isNotZero(even), isNotZero(odd))
}

@inline(__always)
private func isNotZero(_ words: Words) -> Words {
    // A true comparison is −1.
    unsafeBitCast(words .== Words(repeating: 0), to: Words.self) &+ 1
}

/// `table[index]` for sixteen indices below 16 in bytes.
///
/// Without a byte shuffle in the baseline, the entry is found by climbing: the first entry plus every rise to the next
/// one that the index has passed.
@inline(__always)
func lookUp(_ indices: SIMD16<UInt8>, _ table: SIMD16<Int8>) -> SplitBytes {
    let signed = unsafeBitCast(indices, to: SIMD16<Int8>.self)
    var entries = SIMD16<Int8>(repeating: table[0])
    entries = entries &+ rise(signed, table, 0) &+ rise(signed, table, 1) &+ rise(signed, table, 2)
    entries = entries &+ rise(signed, table, 3) &+ rise(signed, table, 4) &+ rise(signed, table, 5)
    entries = entries &+ rise(signed, table, 6) &+ rise(signed, table, 7) &+ rise(signed, table, 8)
    entries = entries &+ rise(signed, table, 9) &+ rise(signed, table, 10) &+ rise(signed, table, 11)
    entries = entries &+ rise(signed, table, 12) &+ rise(signed, table, 13) &+ rise(signed, table, 14)
    return signedBytes(unsafeBitCast(entries, to: Words.self))
}

/// The rise from entry `k` to the next, where the index is above `k`.
@inline(__always)
private func rise(_ indices: SIMD16<Int8>, _ table: SIMD16<Int8>, _ k: Int) -> SIMD16<Int8> {
    let isAbove = indices .> SIMD16<Int8>(repeating: Int8(truncatingIfNeeded: k))
    return unsafeBitCast(isAbove, to: SIMD16<Int8>.self) & SIMD16<Int8>(repeating: table[k + 1] &- table[k])
}

/// Sixteen bytes from any address.
@inline(__always)
func sixteenBytes(_ source: UnsafeRawPointer) -> SIMD16<UInt8> { source.loadUnaligned(as: SIMD16<UInt8>.self) }
