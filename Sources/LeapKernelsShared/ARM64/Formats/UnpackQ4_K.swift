#if arch(arm64)
import LeapBlocks

/// `Q4_K`: pairs of groups of 32 elements; 32 bytes hold one group in their low nibbles and the next in their high
/// nibbles.
@inline(__always)
func superBlockQ4_K(_ block: UnsafeRawPointer) -> MinimumSuperBlock {
    let qs = block + BlockQ4_K.qs
    let quants = (pair(qs), pair(qs + 32), pair(qs + 64), pair(qs + 96))
    return sixBitSuperBlock(quants, header: block)
}

/// Two groups of 32 elements.
@inline(__always)
private func pair(_ qs: UnsafeRawPointer) -> Quants64 {
    let (a, b) = (nibbles(qs), nibbles(qs + 16))
    return (signed(a.0), signed(b.0), signed(a.1), signed(b.1))
}

/// Unpacks a tile; see `UnpackKernel`.
let unpackTileQ4_K: UnpackKernel = {
    unpackMinimumTile(($0, $1, $2, $3, $4), groupSize: 32, superBlockQ4_K)
}
#endif
