#if arch(x86_64)
import LeapBlocks

/// `Q4_1`: the quants of `Q4_0` with a minimum in place of the zero point.
let dotQ4_1: DotKernel = {
    dotMinimumBlocks(($0, $1, $2, $3, $4, $5, $6, $7, $8), byteCount: BlockQ4_1.byteCount, unpack: unpack)
}

@inline(__always)
private func unpack(_ blocks: BlockQuartet) -> WeightQuartet {
    let words = quartetWords(blocks)
    let (low, high) = nibbles(BlockQ4_1.qs, of: words)
    return (low, high, quadrupledHalves(BlockQ4_1.d, of: words), quadrupledHalves(BlockQ4_1.m, of: words))
}

/// Unpacks a tile; see `UnpackKernel`.
let unpackTileQ4_1: UnpackKernel = {
    unpackNibbleTile(
        ($0, $1, $2, $3, $4), byteCount: BlockQ4_1.byteCount, qs: BlockQ4_1.qs, d: BlockQ4_1.d, hasMinima: true
    ) { $0 }
}
#endif
