#if arch(x86_64)
import LeapBlocks
import _Builtin_intrinsics.intel

/// `Q5_K`: the lower four bits as in `Q4_K`; bit `g` of `qh[l]` is the fifth bit of element `l` of group `g` of 32.
let dotQ5_K: DotKernel = {
    dotSixBitSuperBlocks(
        ($0, $1, $2, $3, $4, $5, $6, $7, $8), byteCount: BlockQ5_K.byteCount, quants: quants, setQuants: setQuants)
}

@inline(__always)
private func quants(_ block: UnsafeRawPointer) -> Quants256 {
    let low = nibblePairs(block + BlockQ5_K.qs)
    let high = twice32(block + BlockQ5_K.qh)
    return (
        addFifthBit(low.0, high, splat(0x01, 0x04)),
        addFifthBit(low.1, high, splat(0x02, 0x08)),
        addFifthBit(low.2, high, splat(0x10, 0x40)),
        addFifthBit(low.3, high, splat(0x20, 0x80))
    )
}

/// Adds 16 where `high` has a bit of `mask`.
@inline(__always)
private func addFifthBit(_ low: Bytes64, _ high: Bytes64, _ mask: Bytes64) -> Bytes64 {
    _mm512_mask_add_epi8(low, _mm512_test_epi8_mask(high, mask), low, splat(16))
}

/// Unpacks a tile; see `UnpackKernel`.
let unpackTileQ5_K: UnpackKernel = {
    unpackTile(($0, $1, $2, $3, $4), groupSize: 32, isPaired: true) { rows in
        setQuants(rows)
        setSixBitFactors(rows)
    }
}

/// Writes the quants of 16 rows.
@inline(__always)
private func setQuants(_ rows: RowsOfSlab) {
    setNibblePairs(rows, qs: BlockQ5_K.qs)
    addUpperBits(rows, bits: BlockQ5_K.qh, number: 16, zero: 0)
}
#endif
