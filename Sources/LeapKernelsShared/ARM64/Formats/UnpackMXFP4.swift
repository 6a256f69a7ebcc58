#if arch(arm64)
import LeapBlocks
import _Builtin_intrinsics.arm.neon

/// `MXFP4`: codes laid out like the quants of `Q4_0`; a scale is a biased exponent.
let unpackTileMXFP4: UnpackKernel = {
    unpackBlockTile(($0, $1, $2, $3, $4), byteCount: BlockMXFP4.byteCount, hasMinima: false) { block in
        (doubledValues(block + BlockMXFP4.qs), halvedPower(ofBlock: block), 0)
    }
}

/// Twice the values of the codes.
@inline(__always)
func doubledValues(_ qs: UnsafeRawPointer) -> Quants32 {
    let values = SignedBytes(0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12)
    let (low, high) = nibbles(qs)
    return (vqtbl1q_s8(values, low), vqtbl1q_s8(values, high))
}

/// 2^(e − 128) for a block's biased exponent e; the two smallest are subnormal.
@inline(__always)
private func halvedPower(ofBlock block: UnsafeRawPointer) -> Float {
    let exponent = UInt32(block.load(fromByteOffset: BlockMXFP4.e, as: UInt8.self))
    return Float(bitPattern: exponent < 2 ? 0x20_0000 &<< exponent : (exponent &- 1) &<< 23)
}
#endif
