#if arch(arm64)
import LeapBlocks

/// Dot products with rows of `Q6_K`.
let dotQ6_K: DotKernel = {
    dotOffsetSuperBlocks(
        ($0, $1, $2, $3, $4, $5, $6, $7, $8), byteCount: BlockQ6_K.byteCount, zero: 32, unpack: superBlockQ6_K)
}
#endif
