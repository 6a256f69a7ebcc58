#if arch(arm64)
import LeapBlocks

/// `Q4_0`: 16 bytes hold the first 16 elements in their low nibbles and the last 16 in their high nibbles.
let dotQ4_0: DotKernel = {
    dotOffsetBlocks(($0, $1, $2, $3, $4, $5, $6, $7, $8), byteCount: BlockQ4_0.byteCount, zero: 8, unpack: unpack)
}

@inline(__always)
private func unpack(_ blocks: BlockQuartet) -> WeightQuartet {
    (quartet(blocks) { fourBits($0 + BlockQ4_0.qs) }, halves(BlockQ4_0.d, of: blocks), SIMD4(repeating: 0))
}
#endif
