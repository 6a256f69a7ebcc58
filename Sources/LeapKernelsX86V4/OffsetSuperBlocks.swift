#if arch(x86_64)
import LeapBlocks
import _Builtin_intrinsics.intel

/// Dot products of rows of blocks `d · scale · (q − zero)`.
///
/// - Parameters:
///   - d: The byte offset of the factor.
///   - quants: Reads the unsigned quants of a block in element order, up to 63.
///   - scales: Reads its 16 scales.
@inline(__always)
func dotOffsetSuperBlocks(
    _ operands: DotOperands, byteCount: Int, zero: UInt8, d: Int, quants: (_ block: UnsafeRawPointer) -> Quants256,
    scales: (_ block: UnsafeRawPointer) -> Bytes32
) {
    dotQuartets(
        operands, byteCount: byteCount,
        unpack: { blocks in
            (
                (quants(blocks.a), quants(blocks.b), quants(blocks.c), quants(blocks.d)),
                (
                    spreadScales(scales(blocks.a)), spreadScales(scales(blocks.b)),
                    spreadScales(scales(blocks.c)), spreadScales(scales(blocks.d))
                ),
                halves(d, of: blocks), noMinima, SIMD4(repeating: 0)
            )
        },
        prepare: { block in
            let x = block + BlockQ8_K.qs
            let quants = (bytes64(x), bytes64(x + 64), bytes64(x + 128), bytes64(x + 192))
            return (quants, zeroPoints(quants, zero), noMinima, SIMD4(repeating: activationScale(block)))
        }, add: addGroups)
}

/// `−zero · Σ x` over every four activations.
@inline(__always)
func zeroPoints(_ x: Quants256, _ zero: UInt8) -> Quants256 {
    (zeroPoint(x.0, zero), zeroPoint(x.1, zero), zeroPoint(x.2, zero), zeroPoint(x.3, zero))
}

@inline(__always)
private func zeroPoint(_ x: Bytes64, _ zero: UInt8) -> Bytes64 {
    _mm512_sub_epi32(Bytes64(), addProducts(Bytes64(), splat(zero), x))
}
#endif
