#if arch(x86_64)
import LeapBlocks
import _Builtin_intrinsics.intel

/// `Q6_K`: in each half of the block, 64 bytes hold the lower four bits of 2 × 64 elements, and 32 bytes the upper two
/// bits of 4 × 32.
let dotQ6_K: DotKernel = {
    dotOffsetSuperBlocks(($0, $1, $2, $3, $4, $5, $6, $7, $8), byteCount: BlockQ6_K.byteCount, unpack: unpack)
}

@inline(__always)
private func unpack(_ block: UnsafeRawPointer) -> OffsetSuperBlock {
    let scales = bytes16(block + BlockQ6_K.scales)
    return offsetSuperBlock(quants(block), scales: scales, zero: 32, d: loadHalf(block + BlockQ6_K.d))
}

@inline(__always)
private func quants(_ block: UnsafeRawPointer) -> Quants256 {
    let (ql, qh) = (block + BlockQ6_K.ql, block + BlockQ6_K.qh)
    let (lower, upper) = (half(ql, qh), half(ql + 64, qh + 32))
    return (lower.0, lower.1, lower.2, lower.3, upper.0, upper.1, upper.2, upper.3)
}

/// Half a block: 128 elements.
@inline(__always)
private func half(_ ql: UnsafeRawPointer, _ qh: UnsafeRawPointer) -> (Bytes32, Bytes32, Bytes32, Bytes32) {
    let (a, b, high) = (bytes32(ql), bytes32(ql + 32), bytes32(qh))
    return (
        a & splat(15) | _mm256_slli_epi16(high, 4) & splat(0x30),
        b & splat(15) | _mm256_slli_epi16(high, 2) & splat(0x30),
        field(a, shift: 4, mask: 15) | high & splat(0x30),
        field(b, shift: 4, mask: 15) | field(high, shift: 2, mask: 0x30)
    )
}

/// Unpacks a tile; see `UnpackKernel`.
let unpackTileQ6_K: UnpackKernel = {
    unpackSuperBlockTile(($0, $1, $2, $3, $4), groups: 16, hasMinima: false) { block in
        (quants(block), bytes16(block + BlockQ6_K.scales), Bytes16(), loadHalf(block + BlockQ6_K.d), 0)
    }
}
#endif
