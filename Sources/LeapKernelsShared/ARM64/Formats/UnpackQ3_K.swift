#if arch(arm64)
import LeapBlocks
import _Builtin_intrinsics.arm.neon

/// `Q3_K`: each 32 bytes hold the lower two bits of 4 × 32 elements; bit `g` of `hmask[l]` is the third bit of element
/// `l` of the `g`-th 32.
@inline(__always)
func superBlockQ3_K(_ block: UnsafeRawPointer) -> OffsetSuperBlock {
    let high = (bytes(block + BlockQ3_K.hmask), bytes(block + BlockQ3_K.hmask + 16))
    let low = bitPairs(block + BlockQ3_K.qs)
    let quants = (
        addThirdBits(to: low.0, high, 0x01, 0x02), addThirdBits(to: low.1, high, 0x04, 0x08),
        addThirdBits(to: low.2, high, 0x10, 0x20), addThirdBits(to: low.3, high, 0x40, 0x80)
    )
    return (quants, scales(block + BlockQ3_K.scales), loadHalf(block + BlockQ3_K.d))
}

@inline(__always)
private func addThirdBits(
    to low: (Bytes, Bytes, Bytes, Bytes), _ high: (Bytes, Bytes), _ first: UInt8, _ second: UInt8
) -> Quants64 {
    (
        signed(add(4, to: low.0, where: high.0, mask: first)), signed(add(4, to: low.1, where: high.1, mask: first)),
        signed(add(4, to: low.2, where: high.0, mask: second)), signed(add(4, to: low.3, where: high.1, mask: second))
    )
}

/// The 16 scales minus 32: their lower four bits are in 8 bytes (2 × 8 scales), the upper two in the next 4 (4 × 4
/// scales).
@inline(__always)
private func scales(_ source: UnsafeRawPointer) -> SignedBytes {
    let low = source.loadUnaligned(as: SIMD8<UInt8>.self)
    let high = vdupq_n_u32(source.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
    let lowShifts = SignedBytes(0, 0, 0, 0, 0, 0, 0, 0, -4, -4, -4, -4, -4, -4, -4, -4)
    let highShifts = SignedBytes(0, 0, 0, 0, -2, -2, -2, -2, -4, -4, -4, -4, -6, -6, -6, -6)
    let lower = vandq_u8(vshlq_u8(vcombine_u8(low, low), lowShifts), vdupq_n_u8(15))
    let upper = vandq_u8(vshlq_u8(unsafeBitCast(high, to: Bytes.self), highShifts), vdupq_n_u8(3))
    return vsubq_s8(signed(vorrq_u8(lower, vshlq_u8(upper, vdupq_n_s8(4)))), vdupq_n_s8(32))
}

/// Unpacks a tile; see `UnpackKernel`.
let unpackTileQ3_K: UnpackKernel = {
    unpackOffsetTile(($0, $1, $2, $3, $4), groupSize: 16, zero: 4, superBlockQ3_K)
}
#endif
