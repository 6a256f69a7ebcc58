#if arch(x86_64)
import LeapBlocks

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
    let high = bytes32(block + BlockQ5_K.qh)
    return (
        add(16, to: low.0, where: high, mask: 0x01), add(16, to: low.1, where: high, mask: 0x02),
        add(16, to: low.2, where: high, mask: 0x04), add(16, to: low.3, where: high, mask: 0x08),
        add(16, to: low.4, where: high, mask: 0x10), add(16, to: low.5, where: high, mask: 0x20),
        add(16, to: low.6, where: high, mask: 0x40), add(16, to: low.7, where: high, mask: 0x80)
    )
}

/// Unpacks a tile; see `UnpackKernel`.
let unpackTileQ5_K: UnpackKernel = {
    unpackSuperBlockTile(($0, $1, $2, $3, $4), groups: 8, hasMinima: true) { block in
        sixBitRow(quants(block), header: bytes16(block))
    }
}
#endif
