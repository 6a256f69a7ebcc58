#if arch(x86_64)
import LeapBlocks

/// `IQ4_NL`: step indices laid out as the quants of `Q4_0`.
let dotIQ4_NL: DotKernel = {
    dotSignedBlocks(($0, $1, $2, $3, $4, $5, $6, $7, $8), byteCount: BlockIQ4_NL.byteCount, unpack: unpack)
}

@inline(__always)
private func unpack(_ blocks: BlockQuartet) -> WeightQuartet {
    let quants = (
        quants(block(0, of: blocks)), quants(block(1, of: blocks)),
        quants(block(2, of: blocks)), quants(block(3, of: blocks))
    )
    return (quants, halves(BlockIQ4_NL.d, of: blocks), SIMD4(repeating: 0))
}

@inline(__always)
private func quants(_ block: UnsafeRawPointer) -> Bytes32 {
    steps(nibbles(block + BlockIQ4_NL.qs))
}

/// Unpacks a tile; see `UnpackKernel`.
let unpackTileIQ4_NL: UnpackKernel = {
    unpackWordTile(($0, $1, $2, $3, $4)) {
        blockRow($0, $1, byteCount: BlockIQ4_NL.byteCount, unpack: unpack)
    }
}
#endif
