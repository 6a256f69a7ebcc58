#if arch(x86_64)
import LeapBlocks

/// `Q4_0`: 16 bytes hold the first 16 elements in their low nibbles and the last 16 in their high nibbles.
let dotQ4_0: DotKernel = {
    dotOffsetBlocks(($0, $1, $2, $3, $4, $5, $6, $7, $8), byteCount: BlockQ4_0.byteCount, zero: 8, unpack: unpack)
}

@inline(__always)
private func unpack(_ blocks: BlockQuartet) -> WeightQuartet {
    let words = quartetWords(blocks)
    let (low, high) = nibbles(BlockQ4_0.qs, of: words)
    return (low, high, quadrupledHalves(BlockQ4_0.d, of: words), Lanes(repeating: 0))
}

/// Unpacks a tile; see `UnpackKernel`.
let unpackTileQ4_0: UnpackKernel = {
    unpackNibbleTile(($0, $1, $2, $3, $4), byteCount: BlockQ4_0.byteCount, qs: BlockQ4_0.qs, d: BlockQ4_0.d) {
        subtract(8, from: $0)
    }
}
#endif
