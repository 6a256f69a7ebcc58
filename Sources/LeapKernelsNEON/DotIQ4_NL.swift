#if arch(arm64)
import LeapBlocks

/// `IQ4_NL`: step indices laid out like the quants of `Q4_0`.
let dotIQ4_NL: DotKernel = {
    dotOffsetBlocks(($0, $1, $2, $3, $4, $5, $6, $7, $8), byteCount: BlockIQ4_NL.byteCount, zero: 0, unpack: unpack)
}

@inline(__always)
private func unpack(_ blocks: BlockQuartet) -> WeightQuartet {
    (quartet(blocks) { steps($0 + BlockIQ4_NL.qs) }, halves(BlockIQ4_NL.d, of: blocks), SIMD4(repeating: 0))
}
#endif
