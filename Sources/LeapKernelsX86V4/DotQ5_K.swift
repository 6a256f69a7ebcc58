#if arch(x86_64)
import LeapBlocks
import _Builtin_intrinsics.intel

/// `Q5_K`: the lower four bits as in `Q4_K`; bit `g` of `qh[l]` is the fifth bit of element `l` of group `g` of 32.
let dotQ5_K: DotKernel = {
    dotMinimumSuperBlocks(($0, $1, $2, $3, $4, $5, $6, $7, $8), byteCount: BlockQ5_K.byteCount, unpack: unpack)
}

@inline(__always)
private func unpack(_ block: UnsafeRawPointer) -> MinimumSuperBlock {
    sixBitSuperBlock(quants(block), header: bytes16(block))
}

@inline(__always)
private func quants(_ block: UnsafeRawPointer) -> Quants256 {
    let low = nibblePairs(block + BlockQ5_K.qs)
    let high = twice32(block + BlockQ5_K.qh)
    return (
        addFifthBit(low.0, high, splat(0x01, 0x02)),
        addFifthBit(low.1, high, splat(0x04, 0x08)),
        addFifthBit(low.2, high, splat(0x10, 0x20)),
        addFifthBit(low.3, high, splat(0x40, 0x80))
    )
}

/// Adds 16 where `high` has a bit of `mask`.
@inline(__always)
private func addFifthBit(_ low: Bytes64, _ high: Bytes64, _ mask: Bytes64) -> Bytes64 {
    _mm512_mask_add_epi8(low, _mm512_test_epi8_mask(high, mask), low, splat(16))
}
/// Unpacks a tile; see `UnpackKernel`.
let unpackTileQ5_K: UnpackKernel = {
    unpackTile(($0, $1, $2, $3, $4), hasMinima: true) { block, _ in
        (quants(block), sixBitFactors(header: bytes16(block)))
    }
}
#endif
