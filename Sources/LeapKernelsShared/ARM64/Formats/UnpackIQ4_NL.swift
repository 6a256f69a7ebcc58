#if arch(arm64)
import LeapBlocks

/// `IQ4_NL`: step indices laid out like the quants of `Q4_0`.
let unpackTileIQ4_NL: UnpackKernel = {
    unpackBlockTile(($0, $1, $2, $3, $4), byteCount: BlockIQ4_NL.byteCount, hasMinima: false) { block in
        (steps(block + BlockIQ4_NL.qs), loadHalf(block + BlockIQ4_NL.d), 0)
    }
}
#endif
