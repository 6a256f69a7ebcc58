#if arch(x86_64)
import LeapBlocks

/// `Q5_1`: the quants of `Q5_0` with a minimum in place of the zero point.
let dotQ5_1: DotKernel = {
    dotMinimumBlocks(($0, $1, $2, $3, $4, $5, $6, $7, $8), byteCount: BlockQ5_1.byteCount, unpack: unpack)
}

@inline(__always)
private func unpack(_ blocks: BlockQuartet) -> WeightQuartet {
    let quants = (
        quants(block(0, of: blocks)), quants(block(1, of: blocks)),
        quants(block(2, of: blocks)), quants(block(3, of: blocks))
    )
    return (quants, halves(BlockQ5_1.d, of: blocks), halves(BlockQ5_1.m, of: blocks))
}

@inline(__always)
private func quants(_ block: UnsafeRawPointer) -> Bytes32 {
    fiveBits(block + BlockQ5_1.qs, block + BlockQ5_1.qh)
}

/// Unpacks a tile; see `UnpackKernel`.
let unpackTileQ5_1: UnpackKernel = {
    unpackBlockTile(($0, $1, $2, $3, $4)) {
        blockRow($0, $1, byteCount: BlockQ5_1.byteCount, unpack: unpack)
    }
}
#endif
