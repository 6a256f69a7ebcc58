#if arch(x86_64)
import LeapBlocks

/// `Q5_K`: the lower four bits as in `Q4_K`; bit `g` of `qh[l]` is the fifth bit of element `l` of group `g` of 32.
let dotQ5_K: DotKernel = {
    dotSixBitSuperBlocks(($0, $1, $2, $3, $4, $5, $6, $7, $8), byteCount: BlockQ5_K.byteCount, quants: quants)
}

@inline(__always)
private func quants(_ block: UnsafeRawPointer) -> Quants256 {
    join(nibblePairs(block + BlockQ5_K.qs), bytes32(block + BlockQ5_K.qh), at: 4)
}

/// Unpacks a tile; see `UnpackKernel`.
let unpackTileQ5_K: UnpackKernel = {
    unpackSuperBlockTile(($0, $1, $2, $3, $4), groups: 8, hasMinima: true) { block in
        sixBitRow(quants(block), header: bytes16(block))
    }
}
#endif
