#if arch(arm64)
import LeapBlocks

/// `Q5_0`: the quants of `Q4_0`, and the elements' fifth bits in order in a 32-bit word.
let dotQ5_0: DotKernel = {
    dotOffsetBlocks(($0, $1, $2, $3, $4, $5, $6, $7, $8), byteCount: BlockQ5_0.byteCount, zero: 16, unpack: unpack)
}

@inline(__always)
private func unpack(_ blocks: BlockQuartet) -> WeightQuartet {
    (
        quartet(blocks) { fiveBits($0 + BlockQ5_0.qs, $0 + BlockQ5_0.qh) }, halves(BlockQ5_0.d, of: blocks),
        SIMD4(repeating: 0)
    )
}
#endif
