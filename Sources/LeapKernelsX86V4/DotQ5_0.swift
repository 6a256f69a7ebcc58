#if arch(x86_64)
import LeapBlocks

/// `Q5_0`: the quants of `Q4_0`, and the elements' fifth bits in order in a 32-bit word.
let dotQ5_0: DotKernel = {
    dotOffsetBlocks(($0, $1, $2, $3, $4, $5, $6, $7, $8), byteCount: BlockQ5_0.byteCount, zero: 16, unpack: unpack)
}

@inline(__always)
private func unpack(_ blocks: BlockQuartet) -> WeightQuartet {
    let words = quartetWords(blocks)
    let (low, high) = fiveBits(BlockQ5_0.qs, BlockQ5_0.qh, of: words)
    return (low, high, quadrupledHalves(BlockQ5_0.d, of: words), Lanes(repeating: 0))
}

/// Unpacks a tile; see `UnpackKernel`.
let unpackTileQ5_0: UnpackKernel = {
    unpackFiveBitTile(
        ($0, $1, $2, $3, $4), byteCount: BlockQ5_0.byteCount, qs: BlockQ5_0.qs, qh: BlockQ5_0.qh, d: BlockQ5_0.d,
        zero: 16)
}
#endif
