#if arch(x86_64)
import LeapBlocks

/// `Q4_K`: groups of 32 elements in pairs; 32 bytes carry one group in their low halves and the next in their high
/// halves.
let dotQ4_K: DotKernel = {
    dotSixBitSuperBlocks(($0, $1, $2, $3, $4, $5, $6, $7, $8), byteCount: BlockQ4_K.byteCount, quants: quants)
}

@inline(__always)
private func quants(_ block: UnsafeRawPointer) -> Quants256 { nibblePairs(block + BlockQ4_K.qs) }

/// The 4-bit fields of 128 bytes: of each 32 bytes first the low halves, then the high halves.
@inline(__always)
func nibblePairs(_ qs: UnsafeRawPointer) -> Quants256 {
    let (a, b, c, d) = (bytes32(qs), bytes32(qs + 32), bytes32(qs + 64), bytes32(qs + 96))
    return (
        a & splat(15), field(a, shift: 4, mask: 15), b & splat(15), field(b, shift: 4, mask: 15),
        c & splat(15), field(c, shift: 4, mask: 15), d & splat(15), field(d, shift: 4, mask: 15)
    )
}

/// Unpacks a tile; see `UnpackKernel`.
let unpackTileQ4_K: UnpackKernel = {
    unpackSuperBlockTile(($0, $1, $2, $3, $4), groups: 8, hasMinima: true) { block in
        sixBitRow(quants(block), header: bytes16(block))
    }
}
#endif
