#if arch(x86_64)
import LeapBlocks
import _Builtin_intrinsics.intel

/// `Q3_K`: each 32 bytes hold the lower two bits of 4 × 32 elements; bit `g` of `hmask[l]` is the third bit of element
/// `l` of the `g`-th 32.
let dotQ3_K: DotKernel = {
    dotOffsetSuperBlocks(($0, $1, $2, $3, $4, $5, $6, $7, $8), byteCount: BlockQ3_K.byteCount, unpack: unpack)
}

@inline(__always)
private func unpack(_ block: UnsafeRawPointer) -> OffsetSuperBlock {
    let scales = scales(block + BlockQ3_K.scales)
    return offsetSuperBlock(quants(block), scales: scales, zero: 4, d: loadHalf(block + BlockQ3_K.d))
}

@inline(__always)
private func quants(_ block: UnsafeRawPointer) -> Quants256 {
    join(bitPairs(block + BlockQ3_K.qs), bytes32(block + BlockQ3_K.hmask), at: 2)
}

/// The 16 scales minus 32: their lower four bits are in 8 bytes (2 × 8 scales), the upper two in the next 4 (4 × 4
/// scales).
@inline(__always)
private func scales(_ bytes: UnsafeRawPointer) -> Bytes16 {
    let low = Bytes16(repeating: bytes.loadUnaligned(as: Int64.self))
    let high = _mm_set1_epi32(bytes.loadUnaligned(fromByteOffset: 8, as: Int32.self))
    let lower = _mm_srlv_epi64(low, Bytes16(0, 4)) & Bytes16(repeating: 0x0F0F_0F0F_0F0F_0F0F)
    let upper = _mm_srlv_epi32(high, _mm_setr_epi32(0, 2, 4, 6)) & Bytes16(repeating: 0x0303_0303_0303_0303)
    return _mm_sub_epi8(lower | _mm_slli_epi16(upper, 4), _mm_set1_epi8(32))
}

/// The 2-bit fields of 64 bytes: for each 32 bytes, first the lowest two bits of all, then the next two, and so on.
@inline(__always)
func bitPairs(_ qs: UnsafeRawPointer) -> Quants256 {
    let (a, b) = (bytes32(qs), bytes32(qs + 32))
    return (
        a & splat(3), field(a, shift: 2, mask: 3), field(a, shift: 4, mask: 3), field(a, shift: 6, mask: 3),
        b & splat(3), field(b, shift: 2, mask: 3), field(b, shift: 4, mask: 3), field(b, shift: 6, mask: 3)
    )
}

/// Unpacks a tile; see `UnpackKernel`.
let unpackTileQ3_K: UnpackKernel = {
    unpackSuperBlockTile(($0, $1, $2, $3, $4), groups: 16, hasMinima: false) { block in
        (quants(block), scales(block + BlockQ3_K.scales), Bytes16(), loadHalf(block + BlockQ3_K.d), 0)
    }
}
#endif
