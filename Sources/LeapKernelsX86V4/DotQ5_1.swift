#if arch(x86_64)
import LeapBlocks

/// `Q5_1`: the quants of `Q5_0` with a minimum in place of the zero point.
let dotQ5_1: DotKernel = {
    dotMinimumBlocks(($0, $1, $2, $3, $4, $5, $6, $7, $8), byteCount: BlockQ5_1.byteCount, unpack: unpack)
}

@inline(__always)
private func unpack(_ blocks: BlockQuartet) -> WeightQuartet {
    let words = quartetWords(blocks)
    let (low, high) = fiveBits(BlockQ5_1.qs, BlockQ5_1.qh, of: words)
    return (low, high, quadrupledHalves(BlockQ5_1.d, of: words), quadrupledHalves(BlockQ5_1.m, of: words))
}

/// Unpacks a tile; see `UnpackKernel`.
let unpackTileQ5_1: UnpackKernel = {
    unpackFiveBitTile(
        ($0, $1, $2, $3, $4), byteCount: BlockQ5_1.byteCount, qs: BlockQ5_1.qs, qh: BlockQ5_1.qh, d: BlockQ5_1.d,
        hasMinima: true, zero: 0)
}
#endif
