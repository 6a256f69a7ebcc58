#if arch(arm64)
import LeapBlocks

/// Dot products with rows of `Q3_K`.
let dotQ3_K: DotKernel = {
    dotOffsetSuperBlocks(
        ($0, $1, $2, $3, $4, $5, $6, $7, $8), byteCount: BlockQ3_K.byteCount, zero: 4, unpack: superBlockQ3_K)
}
#endif
