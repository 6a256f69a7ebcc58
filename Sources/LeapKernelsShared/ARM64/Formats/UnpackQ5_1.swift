#if arch(arm64)
import LeapBlocks

/// `Q5_1`: the quants of `Q5_0` with a minimum in place of the zero point.
let unpackTileQ5_1: UnpackKernel = {
    unpackBlockTile(($0, $1, $2, $3, $4), byteCount: BlockQ5_1.byteCount, hasMinima: true) { block in
        (
            fiveBits(block + BlockQ5_1.qs, block + BlockQ5_1.qh), loadHalf(block + BlockQ5_1.d),
            loadHalf(block + BlockQ5_1.m)
        )
    }
}
#endif
