#if arch(arm64)
import LeapBlocks

/// Dot products with rows of `IQ4_XS`.
let dotIQ4_XS: DotKernel = {
    dotOffsetSuperBlocks(
        ($0, $1, $2, $3, $4, $5, $6, $7, $8), byteCount: BlockIQ4_XS.byteCount, zero: 0, unpack: superBlockIQ4_XS)
}
#endif
