#if arch(arm64)
import LeapBlocks

/// Dot products with rows of `Q4_K`.
let dotQ4_K: DotKernel = {
    dotMinimumSuperBlocks(($0, $1, $2, $3, $4, $5, $6, $7, $8), byteCount: BlockQ4_K.byteCount, unpack: superBlockQ4_K)
}
#endif
