#if arch(x86_64)
import LeapBlocks

/// `Q4_K`: pairs of groups of 32 elements; 32 bytes hold one group in their low nibbles and the next in their high
/// nibbles.
let dotQ4_K: DotKernel = {
    dotSixBitSuperBlocks(($0, $1, $2, $3, $4, $5, $6, $7, $8), byteCount: BlockQ4_K.byteCount, quants: quants)
}

@inline(__always)
private func quants(_ block: UnsafeRawPointer) -> Quants256 { nibblePairs(block + BlockQ4_K.qs) }

/// The 4-bit fields of 128 bytes: for each 32 bytes, first the low nibbles, then the high nibbles.
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
