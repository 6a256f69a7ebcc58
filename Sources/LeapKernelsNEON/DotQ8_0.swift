#if arch(arm64)
import LeapBlocks

/// `Q8_0`: signed bytes, used directly.
let dotQ8_0: DotKernel = {
    dotOffsetBlocks(($0, $1, $2, $3, $4, $5, $6, $7, $8), byteCount: BlockQ8_0.byteCount, zero: 0, unpack: unpack)
}

@inline(__always)
private func unpack(_ blocks: BlockQuartet) -> WeightQuartet {
    (quartet(blocks) { quants($0 + BlockQ8_0.qs) }, halves(BlockQ8_0.d, of: blocks), SIMD4(repeating: 0))
}
#endif
