#if arch(arm64)
import LeapBlocks

/// `Q5_0`: the quants of `Q4_0`, and the elements' fifth bits in order in a 32-bit word.
let unpackTileQ5_0: UnpackKernel = {
    unpackBlockTile(($0, $1, $2, $3, $4), byteCount: BlockQ5_0.byteCount, hasMinima: false) { block in
        (subtract(16, from: fiveBits(block + BlockQ5_0.qs, block + BlockQ5_0.qh)), loadHalf(block + BlockQ5_0.d), 0)
    }
}
#endif
