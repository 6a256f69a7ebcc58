#if arch(arm64)
import LeapBlocks

/// `Q5_K`: the lower four bits as in `Q4_K`; bit `g` of `qh[l]` is the fifth bit of element `l` of group `g` of 32.
@inline(__always)
func superBlockQ5_K(_ block: UnsafeRawPointer) -> MinimumSuperBlock {
    let qs = block + BlockQ5_K.qs
    let high = (bytes(block + BlockQ5_K.qh), bytes(block + BlockQ5_K.qh + 16))
    let quants = (
        pair(qs, high, 0x01, 0x02), pair(qs + 32, high, 0x04, 0x08),
        pair(qs + 64, high, 0x10, 0x20), pair(qs + 96, high, 0x40, 0x80)
    )
    return sixBitSuperBlock(quants, header: block)
}

/// Two groups of 32 elements, whose fifth bits are the two bits in `high`.
@inline(__always)
private func pair(_ qs: UnsafeRawPointer, _ high: (Bytes, Bytes), _ first: UInt8, _ second: UInt8) -> Quants64 {
    let (a, b) = (nibbles(qs), nibbles(qs + 16))
    return (
        signed(add(16, to: a.0, where: high.0, mask: first)), signed(add(16, to: b.0, where: high.1, mask: first)),
        signed(add(16, to: a.1, where: high.0, mask: second)), signed(add(16, to: b.1, where: high.1, mask: second))
    )
}

/// Unpacks a tile; see `UnpackKernel`.
let unpackTileQ5_K: UnpackKernel = {
    unpackMinimumTile(($0, $1, $2, $3, $4), groupSize: 32, superBlockQ5_K)
}
#endif
