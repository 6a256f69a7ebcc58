#if arch(x86_64)
import LeapBlocks

/// `Q8_0`: signed bytes, used directly.
let dotQ8_0: DotKernel = {
    dotSignedBlocks(($0, $1, $2, $3, $4, $5, $6, $7, $8), byteCount: BlockQ8_0.byteCount, unpack: unpack)
}

@inline(__always)
private func unpack(_ blocks: BlockQuartet) -> WeightQuartet {
    (halved(blocks, BlockQ8_0.qs), halves(BlockQ8_0.d, of: blocks), SIMD4(repeating: 0))
}

/// Unpacks a tile; see `UnpackKernel`.
let unpackTileQ8_0: UnpackKernel = {
    unpackSignedTile(($0, $1, $2, $3, $4)) {
        blockRow($0, $1, byteCount: BlockQ8_0.byteCount, unpack: unpack)
    }
}
#endif
