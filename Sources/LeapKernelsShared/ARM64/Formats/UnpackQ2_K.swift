#if arch(arm64)
import LeapBlocks

/// `Q2_K`: 16 groups of 16 elements; each byte of `scales` has a group's scale in its low nibble and its minimum in its
/// high nibble.
@inline(__always)
func superBlockQ2_K(_ block: UnsafeRawPointer) -> MinimumSuperBlock {
    let (scales, minima) = nibbles(block + BlockQ2_K.scales)
    let low = bitPairs(block + BlockQ2_K.qs)
    let quants = (quants(low.0), quants(low.1), quants(low.2), quants(low.3))
    return (quants, signed(scales), signed(minima), loadHalf(block + BlockQ2_K.d), loadHalf(block + BlockQ2_K.dmin))
}

@inline(__always)
private func quants(_ bytes: (Bytes, Bytes, Bytes, Bytes)) -> Quants64 {
    (signed(bytes.0), signed(bytes.1), signed(bytes.2), signed(bytes.3))
}

/// Unpacks a tile; see `UnpackKernel`.
let unpackTileQ2_K: UnpackKernel = {
    unpackMinimumTile(($0, $1, $2, $3, $4), groupSize: 16, superBlockQ2_K)
}
#endif
