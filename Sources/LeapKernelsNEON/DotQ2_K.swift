#if arch(arm64)
import LeapBlocks

/// Dot products with rows of `Q2_K`.
let dotQ2_K: DotKernel = {
    dotMinimumSuperBlocks(($0, $1, $2, $3, $4, $5, $6, $7, $8), byteCount: BlockQ2_K.byteCount, unpack: superBlockQ2_K)
}
#endif
