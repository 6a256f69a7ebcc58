#if arch(x86_64)
import LeapBlocks

/// `Q8_0`: signed bytes, made unsigned by flipping their sign bit, which adds 128.
let dotQ8_0: DotKernel = {
    dotOffsetBlocks(($0, $1, $2, $3, $4, $5, $6, $7, $8), byteCount: BlockQ8_0.byteCount, zero: 128, unpack: unpack)
}

@inline(__always)
private func unpack(_ blocks: BlockQuartet) -> WeightQuartet {
    (
        raisedBytes(blocks, 0), raisedBytes(blocks, 2),
        halves(BlockQ8_0.d, of: blocks), SIMD4(repeating: 0)
    )
}

@inline(__always)
private func raisedBytes(_ blocks: BlockQuartet, _ index: Int) -> Bytes64 {
    let qs = BlockQ8_0.qs
    return bytes64(block(index, of: blocks) + qs, block(index &+ 1, of: blocks) + qs) ^ splat(0x80)
}
/// Unpacks a tile; see `UnpackKernel`.
let unpackTileQ8_0: UnpackKernel = {
    unpackByteTile(($0, $1, $2, $3, $4), byteCount: BlockQ8_0.byteCount, qs: BlockQ8_0.qs, d: BlockQ8_0.d)
}
#endif
