#if arch(x86_64)
import LeapBlocks
import _Builtin_intrinsics.intel

/// `Q4_K`: pairs of groups of 32 elements; 32 bytes hold one group in their low nibbles and the next in their high
/// nibbles.
let dotQ4_K: DotKernel = {
    dotSixBitSuperBlocks(
        ($0, $1, $2, $3, $4, $5, $6, $7, $8), byteCount: BlockQ4_K.byteCount, quants: quants,
        setQuants: { setNibblePairs($0, qs: BlockQ4_K.qs) })
}

@inline(__always)
private func quants(_ block: UnsafeRawPointer) -> Quants256 { nibblePairs(block + BlockQ4_K.qs) }

/// The 4-bit fields of 128 bytes: for each 64 bytes, first the low nibbles, then the high nibbles.
@inline(__always)
func nibblePairs(_ qs: UnsafeRawPointer) -> Quants256 {
    let (first, second) = (bytes64(qs), bytes64(qs + 64))
    return (
        first & splat(15), _mm512_srli_epi16(first, 4) & splat(15),
        second & splat(15), _mm512_srli_epi16(second, 4) & splat(15)
    )
}

/// Unpacks a tile; see `UnpackKernel`.
let unpackTileQ4_K: UnpackKernel = {
    unpackTile(($0, $1, $2, $3, $4), groupSize: 32, isPaired: true) { rows in
        setNibblePairs(rows, qs: BlockQ4_K.qs)
        setSixBitFactors(rows)
    }
}
#endif
