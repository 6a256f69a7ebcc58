#if arch(arm64)
import LeapBlocks
import _Builtin_intrinsics.arm.neon

/// `Q6_K`: in each half of the block, 64 bytes hold the lower four bits of 2 × 64 elements, and 32 bytes the upper two
/// bits of 4 × 32.
@inline(__always)
func superBlockQ6_K(_ block: UnsafeRawPointer) -> OffsetSuperBlock {
    let (ql, qh) = (block + BlockQ6_K.ql, block + BlockQ6_K.qh)
    let quants = (
        quarter(ql, shift: 0, qh, shift: 0), quarter(ql, shift: 4, qh, shift: 4),
        quarter(ql + 64, shift: 0, qh + 32, shift: 0), quarter(ql + 64, shift: 4, qh + 32, shift: 4)
    )
    return (quants, signedBytes(block + BlockQ6_K.scales), loadHalf(block + BlockQ6_K.d))
}

/// 64 elements: four bits from each of 64 bytes, and two adjacent 2-bit fields from each of 32 bytes.
@inline(__always)
private func quarter(
    _ ql: UnsafeRawPointer, shift lowShift: Int8, _ qh: UnsafeRawPointer, shift highShift: Int8
) -> Quants64 {
    let high = (bytes(qh), bytes(qh + 16))
    return (
        sixBits(bytes(ql), lowShift, high.0, highShift), sixBits(bytes(ql + 16), lowShift, high.1, highShift),
        sixBits(bytes(ql + 32), lowShift, high.0, highShift &+ 2),
        sixBits(bytes(ql + 48), lowShift, high.1, highShift &+ 2)
    )
}

@inline(__always)
private func sixBits(_ low: Bytes, _ lowShift: Int8, _ high: Bytes, _ highShift: Int8) -> SignedBytes {
    let upper = vshlq_u8(field(high, shift: highShift, mask: 3), vdupq_n_s8(4))
    return signed(vorrq_u8(field(low, shift: lowShift, mask: 15), upper))
}

/// Unpacks a tile; see `UnpackKernel`.
let unpackTileQ6_K: UnpackKernel = {
    unpackOffsetTile(($0, $1, $2, $3, $4), groupSize: 16, zero: 32, superBlockQ6_K)
}
#endif
