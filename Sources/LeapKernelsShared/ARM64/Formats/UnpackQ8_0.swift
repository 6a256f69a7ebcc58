#if arch(arm64)
import LeapBlocks

/// `Q8_0`: signed bytes, used directly.
let unpackTileQ8_0: UnpackKernel = {
    unpackBlockTile(($0, $1, $2, $3, $4), byteCount: BlockQ8_0.byteCount, hasMinima: false) { block in
        (quants(block + BlockQ8_0.qs), loadHalf(block + BlockQ8_0.d), 0)
    }
}
#endif
