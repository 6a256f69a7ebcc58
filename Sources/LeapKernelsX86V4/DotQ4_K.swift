#if arch(x86_64)
import LeapBlocks

/// `Q4_K`: groups of 32 elements in pairs; 32 bytes carry one group in their low halves and the next in their high
/// halves.
let dotQ4_K: DotKernel = {
    dotMinimumSuperBlocks(($0, $1, $2, $3, $4, $5, $6, $7, $8), byteCount: BlockQ4_K.byteCount, unpack: unpack)
}

@inline(__always)
private func unpack(_ block: UnsafeRawPointer) -> MinimumSuperBlock {
    sixBitSuperBlock(nibblePairs(block + BlockQ4_K.qs), header: bytes16(block))
}

/// The 4-bit fields of 128 bytes: of each 32 bytes first the low halves, then the high halves.
@inline(__always)
func nibblePairs(_ qs: UnsafeRawPointer) -> Quants256 {
    Quants256(
        field(twice32(qs), shifts: (0, 4), mask: 15),
        field(twice32(qs + 32), shifts: (0, 4), mask: 15),
        field(twice32(qs + 64), shifts: (0, 4), mask: 15),
        field(twice32(qs + 96), shifts: (0, 4), mask: 15))
}
/// Unpacks a tile; see `UnpackKernel`.
let unpackTileQ4_K: UnpackKernel = {
    unpackTile(($0, $1, $2, $3, $4), groupSize: 32) { rows in
        setNibblePairs(rows, qs: BlockQ4_K.qs)
        setFactors(rows) { sixBitFactors(header: bytes16($0)) }
    }
}
#endif
