#if arch(arm64)
import LeapBlocks
import _Builtin_intrinsics.arm.neon

/// The 4-bit fields of 16 bytes: first the low nibbles, then the high nibbles.
@inline(__always)
func nibbles(_ qs: UnsafeRawPointer) -> (Bytes, Bytes) {
    let both = bytes(qs)
    return (field(both, shift: 0, mask: 15), field(both, shift: 4, mask: 15))
}

/// The 4-bit quants of a block.
@inline(__always)
func fourBits(_ qs: UnsafeRawPointer) -> Quants32 {
    let (low, high) = nibbles(qs)
    return (signed(low), signed(high))
}

/// The 5-bit quants of a block: 16 bytes of lower bits and 4 bytes of fifth bits.
@inline(__always)
func fiveBits(_ qs: UnsafeRawPointer, _ qh: UnsafeRawPointer) -> Quants32 {
    let (low, high) = nibbles(qs)
    return (addFifthBits(to: low, qh), addFifthBits(to: high, qh + 2))
}

/// Adds 16 to byte i where bit i, counted from the lowest bit of 2 bytes, is set.
@inline(__always)
private func addFifthBits(to low: Bytes, _ bits: UnsafeRawPointer) -> SignedBytes {
    // Every 8 lanes get the byte with their 8 bits; each lane tests one of them.
    let first = vdup_n_u8(bits.load(as: UInt8.self))
    let second = vdup_n_u8(bits.load(fromByteOffset: 1, as: UInt8.self))
    let bitOfLane = Bytes(1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128)
    let isSet = vtstq_u8(vcombine_u8(first, second), bitOfLane)
    return signed(vorrq_u8(low, vandq_u8(isSet, vdupq_n_u8(16))))
}

/// The 2-bit fields of 64 bytes: for each 32 bytes, first the lowest two bits of all, then the next two, and so on.
@inline(__always)
func bitPairs(
    _ qs: UnsafeRawPointer
) -> (
    (Bytes, Bytes, Bytes, Bytes), (Bytes, Bytes, Bytes, Bytes), (Bytes, Bytes, Bytes, Bytes),
    (Bytes, Bytes, Bytes, Bytes)
) {
    let (a, b, c, d) = (bytes(qs), bytes(qs + 16), bytes(qs + 32), bytes(qs + 48))
    return (bitPairs(a, b, shift: 0), bitPairs(a, b, shift: 4), bitPairs(c, d, shift: 0), bitPairs(c, d, shift: 4))
}

@inline(__always)
private func bitPairs(_ a: Bytes, _ b: Bytes, shift: Int8) -> (Bytes, Bytes, Bytes, Bytes) {
    (
        field(a, shift: shift, mask: 3), field(b, shift: shift, mask: 3),
        field(a, shift: shift &+ 2, mask: 3), field(b, shift: shift &+ 2, mask: 3)
    )
}

/// The steps of `IQ4_NL` and `IQ4_XS` that the 4-bit fields of 16 bytes index.
@inline(__always)
func steps(_ qs: UnsafeRawPointer) -> Quants32 {
    let steps = SignedBytes(-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113)
    let (low, high) = nibbles(qs)
    return (vqtbl1q_s8(steps, low), vqtbl1q_s8(steps, high))
}
#endif
