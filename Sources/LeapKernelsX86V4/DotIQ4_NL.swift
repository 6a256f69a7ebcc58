#if arch(x86_64)
import LeapBlocks

/// `IQ4_NL`: step indices laid out like the quants of `Q4_0`.
let dotIQ4_NL: DotKernel = {
    dotOffsetBlocks(($0, $1, $2, $3, $4, $5, $6, $7, $8), byteCount: BlockIQ4_NL.byteCount, zero: 128, unpack: unpack)
}

@inline(__always)
private func unpack(_ blocks: BlockQuartet) -> WeightQuartet {
    let words = quartetWords(blocks)
    let (low, high) = nibbles(BlockIQ4_NL.qs, of: words)
    return (raisedSteps(low), raisedSteps(high), quadrupledHalves(BlockIQ4_NL.d, of: words), Lanes(repeating: 0))
}

/// Unpacks a tile; see `UnpackKernel`.
let unpackTileIQ4_NL: UnpackKernel = {
    unpackNibbleTile(($0, $1, $2, $3, $4), byteCount: BlockIQ4_NL.byteCount, qs: BlockIQ4_NL.qs, d: BlockIQ4_NL.d) {
        subtract(128, from: raisedSteps($0))
    }
}
#endif
