#if arch(arm64)
import LeapBlocks

/// `Q4_0`: 16 bytes hold the first 16 elements in their low nibbles and the last 16 in their high nibbles.
let unpackTileQ4_0: UnpackKernel = {
    unpackBlockTile(($0, $1, $2, $3, $4), byteCount: BlockQ4_0.byteCount, hasMinima: false) { block in
        (subtract(8, from: fourBits(block + BlockQ4_0.qs)), loadHalf(block + BlockQ4_0.d), 0)
    }
}
#endif
