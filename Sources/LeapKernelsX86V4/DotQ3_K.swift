#if arch(x86_64)
import LeapBlocks
import _Builtin_intrinsics.intel

/// `Q3_K`: 32 bytes carry the lower two bits of four times 32 elements; bit `g` of `hmask[l]` is the third bit of
/// element `l` of the `g`-th 32.
let dotQ3_K: DotKernel = {
    dotOffsetSuperBlocks(
        ($0, $1, $2, $3, $4, $5, $6, $7, $8), byteCount: BlockQ3_K.byteCount, zero: 4, d: BlockQ3_K.d, quants: quants,
        scales: scales)
}

@inline(__always)
private func quants(_ block: UnsafeRawPointer) -> Quants256 {
    let low = bitPairs(block + BlockQ3_K.qs)
    let high = twice32(block + BlockQ3_K.hmask)
    return (
        addThirdBit(low.0, high, splat(0x01, 0x02)),
        addThirdBit(low.1, high, splat(0x04, 0x08)),
        addThirdBit(low.2, high, splat(0x10, 0x20)),
        addThirdBit(low.3, high, splat(0x40, 0x80))
    )
}

/// Adds 4 where `high` has a bit of `mask`.
@inline(__always)
private func addThirdBit(_ low: Bytes64, _ high: Bytes64, _ mask: Bytes64) -> Bytes64 {
    _mm512_mask_add_epi8(low, _mm512_test_epi8_mask(high, mask), low, splat(4))
}

/// The 16 scales less 32: the lower four bits of two times 8 in 8 bytes, then the upper two of four times 4 in 4.
@inline(__always)
private func scales(_ block: UnsafeRawPointer) -> Bytes32 {
    let bytes = block + BlockQ3_K.scales
    let low = Bytes16(repeating: bytes.loadUnaligned(as: Int64.self))
    let high = Bytes16(repeating: Int64(bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self)) &* 0x1_0000_0001)
    let lower = _mm_srlv_epi64(low, Bytes16(0, 4)) & Bytes16(repeating: 0x0F0F_0F0F_0F0F_0F0F)
    let shifts = Bytes16(2 &<< 32, 4 | 6 &<< 32)
    let upper = _mm_srlv_epi32(high, shifts) & Bytes16(repeating: 0x0303_0303_0303_0303)
    return _mm256_sub_epi16(_mm256_cvtepi8_epi16(lower | upper &<< 4), Bytes32(repeating: 0x0020_0020_0020_0020))
}

/// The 2-bit fields of 64 bytes: of each 32 bytes first the lowest two bits, then the next, and so on.
@inline(__always)
func bitPairs(_ qs: UnsafeRawPointer) -> Quants256 {
    let (low, high) = (twice32(qs), twice32(qs + 32))
    return (
        field(low, shifts: (0, 2), mask: 3), field(low, shifts: (4, 6), mask: 3),
        field(high, shifts: (0, 2), mask: 3), field(high, shifts: (4, 6), mask: 3)
    )
}

/// Unpacks a tile; see `UnpackKernel`.
let unpackTileQ3_K: UnpackKernel = {
    unpackTile(($0, $1, $2, $3, $4), groupSize: 16) { rows in
        setBitPairs(rows, qs: BlockQ3_K.qs)
        addUpperBits(rows, bits: BlockQ3_K.hmask, number: 4, zero: 4)
        setFineScales(rows) { block in
            let d = loadHalf(block + BlockQ3_K.d)
            return scaled(_mm512_cvtepi16_epi32(scales(block)), d, d)
        }
    }
}
#endif
