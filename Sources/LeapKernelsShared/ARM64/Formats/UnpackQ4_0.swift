#if arch(arm64)
import LeapBlocks

/// `Q4_0`: 16 bytes carry the first 16 elements in their low halves and the others in their high halves.
let unpackTileQ4_0: UnpackKernel = {
    unpackBlockTile(($0, $1, $2, $3, $4), byteCount: BlockQ4_0.byteCount, hasMinima: false) { block in
        (subtract(8, from: fourBits(block + BlockQ4_0.qs)), loadHalf(block + BlockQ4_0.d), 0)
    }
}
#endif
