#if arch(x86_64)
import LeapBlocks

/// `Q5_0`: the quants of `Q4_0`, and the elements' fifth bits in order in a 32-bit word.
let dotQ5_0: DotKernel = {
    dotOffsetBlocks(($0, $1, $2, $3, $4, $5, $6, $7, $8), byteCount: BlockQ5_0.byteCount, zero: 16, unpack: unpack)
}

@inline(__always)
private func unpack(_ blocks: BlockQuartet) -> WeightQuartet {
    (fiveBits(BlockQ5_0.qs, BlockQ5_0.qh, of: blocks), halves(BlockQ5_0.d, of: blocks), SIMD4(repeating: 0))
}

/// Unpacks a tile; see `UnpackKernel`.
let unpackTileQ5_0: UnpackKernel = {
    unpackBlockTile(($0, $1, $2, $3, $4)) {
        blockRow($0, $1, byteCount: BlockQ5_0.byteCount, unpack: unpack)
    }
}
#endif
