#if arch(arm64)
import LeapBlocks

/// `Q5_1`: the quants of `Q5_0` with a minimum in place of the zero point.
let dotQ5_1: DotKernel = {
    dotMinimumBlocks(($0, $1, $2, $3, $4, $5, $6, $7, $8), byteCount: BlockQ5_1.byteCount, unpack: unpack)
}

@inline(__always)
private func unpack(_ blocks: BlockQuartet) -> WeightQuartet {
    (
        quartet(blocks) { fiveBits($0 + BlockQ5_1.qs, $0 + BlockQ5_1.qh) }, halves(BlockQ5_1.d, of: blocks),
        halves(BlockQ5_1.m, of: blocks)
    )
}
#endif
