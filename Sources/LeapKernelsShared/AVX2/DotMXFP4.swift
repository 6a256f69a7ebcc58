#if arch(x86_64)
import LeapBlocks
import _Builtin_intrinsics.intel

/// `MXFP4`: codes laid out like the quants of `Q4_0`; a scale is a biased exponent.
let dotMXFP4: DotKernel = {
    dotOffsetBlocks(($0, $1, $2, $3, $4, $5, $6, $7, $8), byteCount: BlockMXFP4.byteCount, zero: 12, unpack: unpack)
}

@inline(__always)
private func unpack(_ blocks: BlockQuartet) -> WeightQuartet {
    let codes = nibbles(BlockMXFP4.qs, of: blocks)
    let quants = (
        raisedCodes(codes.low01), raisedCodes(codes.high01), raisedCodes(codes.low23), raisedCodes(codes.high23)
    )
    return (quants, halvedScales(blocks), SIMD4(repeating: 0))
}

/// Twice the values of the codes, plus 12.
@inline(__always)
private func raisedCodes(_ codes: Bytes32) -> Bytes32 {
    let values = SIMD16<UInt8>(12, 13, 14, 15, 16, 18, 20, 24, 12, 11, 10, 9, 8, 6, 4, 0)
    return _mm256_shuffle_epi8(twice(unsafeBitCast(values, to: Bytes16.self)), codes)
}

/// Unpacks a tile; see `UnpackKernel`.
let unpackTileMXFP4: UnpackKernel = {
    unpackBlockTile(($0, $1, $2, $3, $4)) {
        blockRow($0, $1, byteCount: BlockMXFP4.byteCount, unpack: unpack)
    }
}
#endif
