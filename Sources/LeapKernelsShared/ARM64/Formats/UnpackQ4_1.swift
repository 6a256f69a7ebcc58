#if arch(arm64)
import LeapBlocks

/// `Q4_1`: the quants of `Q4_0` with a minimum in place of the zero point.
let unpackTileQ4_1: UnpackKernel = {
    unpackBlockTile(($0, $1, $2, $3, $4), byteCount: BlockQ4_1.byteCount, hasMinima: true) { block in
        (fourBits(block + BlockQ4_1.qs), loadHalf(block + BlockQ4_1.d), loadHalf(block + BlockQ4_1.m))
    }
}
#endif
