#if arch(arm64)
import LeapBlocks
import _Builtin_intrinsics.arm.neon

/// `IQ4_XS`: 8 groups of 32 elements; 16 bytes hold a group's first 16 step indices in their low nibbles and its last
/// 16 in their high nibbles.
@inline(__always)
func superBlockIQ4_XS(_ block: UnsafeRawPointer) -> OffsetSuperBlock {
    let qs = block + BlockIQ4_XS.qs
    let quants = (pair(qs), pair(qs + 32), pair(qs + 64), pair(qs + 96))
    return (quants, scales(block), loadHalf(block + BlockIQ4_XS.d))
}

/// Two groups of 32 elements.
@inline(__always)
private func pair(_ qs: UnsafeRawPointer) -> Quants64 {
    let (a, b) = (steps(qs), steps(qs + 16))
    return (a.0, a.1, b.0, b.1)
}

/// The 8 scales minus 32, each repeated for two groups of 16: four lower bits each in 4 bytes, two upper bits each in 2
/// bytes.
@inline(__always)
private func scales(_ block: UnsafeRawPointer) -> SignedBytes {
    let low = vdupq_n_u32(block.loadUnaligned(fromByteOffset: BlockIQ4_XS.scalesLow, as: UInt32.self))
    let high = vdupq_n_u16(block.loadUnaligned(fromByteOffset: BlockIQ4_XS.scalesHigh, as: UInt16.self))
    let lowBytes = vqtbl1q_u8(
        unsafeBitCast(low, to: Bytes.self), Bytes(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3))
    let highBytes = vqtbl1q_u8(
        unsafeBitCast(high, to: Bytes.self), Bytes(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1))
    let lowShifts = SignedBytes(0, 0, -4, -4, 0, 0, -4, -4, 0, 0, -4, -4, 0, 0, -4, -4)
    let highShifts = SignedBytes(0, 0, -2, -2, -4, -4, -6, -6, 0, 0, -2, -2, -4, -4, -6, -6)
    let lower = vandq_u8(vshlq_u8(lowBytes, lowShifts), vdupq_n_u8(15))
    let upper = vandq_u8(vshlq_u8(highBytes, highShifts), vdupq_n_u8(3))
    return vsubq_s8(signed(vorrq_u8(lower, vshlq_u8(upper, vdupq_n_s8(4)))), vdupq_n_s8(32))
}

/// Unpacks a tile; see `UnpackKernel`.
let unpackTileIQ4_XS: UnpackKernel = {
    unpackOffsetTile(($0, $1, $2, $3, $4), groupSize: 32, zero: 0, superBlockIQ4_XS)
}
#endif
