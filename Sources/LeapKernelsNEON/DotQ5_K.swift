#if arch(arm64)
import LeapBlocks

/// Dot products with rows of `Q5_K`.
let dotQ5_K: DotKernel = {
    dotMinimumSuperBlocks(($0, $1, $2, $3, $4, $5, $6, $7, $8), byteCount: BlockQ5_K.byteCount, unpack: superBlockQ5_K)
}
#endif
