#if arch(x86_64)
import LeapBlocks

/// `IQ4_NL`: step indices laid out like the quants of `Q4_0`.
let dotIQ4_NL: DotKernel = {
    dotSignedBlocks(($0, $1, $2, $3, $4, $5, $6, $7, $8), byteCount: BlockIQ4_NL.byteCount, unpack: unpack)
}

@inline(__always)
private func unpack(_ blocks: BlockQuartet) -> WeightQuartet {
    let codes = nibbles(BlockIQ4_NL.qs, of: blocks)
    let quants = (steps(codes.low01), steps(codes.high01), steps(codes.low23), steps(codes.high23))
    return (quants, halves(BlockIQ4_NL.d, of: blocks), SIMD4(repeating: 0))
}

/// Unpacks a tile; see `UnpackKernel`.
let unpackTileIQ4_NL: UnpackKernel = {
    unpackSignedTile(($0, $1, $2, $3, $4)) {
        blockRow($0, $1, byteCount: BlockIQ4_NL.byteCount, unpack: unpack)
    }
}
#endif
